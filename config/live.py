"""The process of the live streams: `python -m config.live`. It listens at GRANIAN_HOST, port TREY_LIVE_PORT."""

import asyncio
import os
import resource
import signal

import django
from django.conf import settings
from django.http.request import split_domain_port, validate_host

from config.environment import StartupError


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    _allow_files()
    asyncio.run(_run())


async def _run() -> None:
    # Django is set up by now.
    from core.http.problems import Problem
    from core.live import database, feed, server
    from core.live.streams import Streams, report
    from core.notifications.services import told_players
    from games.live import Live
    from tournaments import selectors

    stopping = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stopping.set)
    async with database.opened() as reader:
        streams = Streams()
        live = Live(reader, streams, newest_result=selectors.newest_result, results=selectors.public_results)
        news = feed.Feed(reader, streams, live.news, told=live.told, channel=told_players.name)

        async def respond(request: server.Request, connection: server.Connection) -> None:
            if request.path == "/healthz":
                connection.respond(200, {"Content-Type": "application/json"}, b'{"status": "ok"}')
            elif not validate_host(split_domain_port(request.headers.get("host", ""))[0], settings.ALLOWED_HOSTS):
                raise Problem("bad_request", "The service has another host name.")
            else:
                await live.respond(request, connection)

        # Before the first stream, so that everything from here on is news.
        await news.begin()
        host, port = settings.GRANIAN_HOST, settings.TREY_LIVE_PORT
        try:
            listening = await server.serve(respond, host, port, buffer=settings.TREY_LIVE_BUFFER)
        except OSError as error:
            raise StartupError(f"Live streams cannot listen on {host}, port {port}: {error.strerror}.") from None
        try:
            async with asyncio.TaskGroup() as group:
                # None of them ends on its own; if one fails, the process ends.
                endless = (
                    news.follow(),
                    live.recheck(),
                    live.presence(),
                    live.results(),
                    streams.beat(),
                    report(streams),
                )
                work = [group.create_task(each) for each in endless]
                await stopping.wait()
                for task in work:
                    task.cancel()
        finally:
            listening.close()
            streams.close()


def _allow_files() -> None:
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


if __name__ == "__main__":
    main()
