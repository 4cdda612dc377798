"""Brings back embedded servers that die or hang, each from a thread of its own, until it is ended.

python -m config.running.embedded
"""

from threading import Thread

from django.conf import settings

from config.running import embedded

if __name__ == "__main__":
    for server in embedded.ours():
        Thread(target=embedded.keep, args=(settings.PLACE, server, print)).start()
