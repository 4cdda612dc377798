# The images of docker-compose.yml, which says the command of each process.

# A proxy that needs no root: its folder for certificates is its own.
FROM caddy:2 AS proxy
RUN mkdir -p /data && chown 10002:10002 /data
COPY --chmod=644 Caddyfile /etc/caddy/Caddyfile
USER 10002

FROM python:3.13-slim-trixie AS trey

ENV PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1 TREY_ENV=production
WORKDIR /srv/trey
RUN useradd --system --uid 10001 --no-create-home trey && mkdir /heads && chown trey /heads
COPY requirements.lock .
# Compiled here once, not at each start: the image comes without the byte-code of Python's own library.
RUN pip install --no-cache-dir --require-hashes -r requirements.lock && \
    python -m compileall -q /usr/local/lib/python3.13 > /dev/null
# Whatever the modes of the checkout are, the user can read it.
COPY --chmod=755 . .
RUN python -m compileall -q . > /dev/null
USER trey
EXPOSE 8000
CMD ["python", "-m", "config.processes", "web"]
