# The image of every process of Trey in production; docker-compose.yml says which command each runs.
FROM python:3.11-slim

ENV PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1 TREY_ENV=production
WORKDIR /srv/trey
RUN useradd --system --uid 10001 --no-create-home trey
COPY requirements.lock .
RUN pip install --no-cache-dir --require-hashes -r requirements.lock
COPY . .
USER trey
EXPOSE 8000
CMD ["python", "-m", "granian", "--interface", "wsgi", "config.wsgi:application"]
