"""Settings for development, tests and production; docs/operate/running.md explains what the environment changes."""

import os
import sys
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from corsheaders.defaults import default_headers
from django.templatetags.static import static
from django.utils.module_loading import import_string

from config import addresses, environment, limits
from config.environment import StartupError
from config.running import embedded
from core import redis_client
from core.accounts.login.client_ids import is_client_id
from core.chatting import SERVICES as CHAT_SERVICES

BASE_DIR = Path(__file__).resolve().parent.parent

TREY_ENV = environment.choice("TREY_ENV", "development", "production", "test")
PRODUCTION = TREY_ENV == "production"
environment.check(production=PRODUCTION)
TREY_VERSION = "0.2.0"
TREY_CLOCK_AHEAD = environment.integer("TREY_CLOCK_AHEAD")
TREY_BOT_PACE = environment.integer("TREY_BOT_PACE", at_most=3600)
# A gap of more than a minute counts as an outage.
TREY_HEARTBEAT = 5
TREY_ROOM_IDLE_SECONDS = 7 * 24 * 3600
# The seconds of a day in which a tournament ratifies rules (RT1 to RT3).
TREY_PROPOSAL_DAY = 86_400

# Good enough for a developer's machine. A system check refuses it in production.
DEVELOPMENT_SECRET_KEY = "for-development-only-" + "0123456789abcdef" * 3
SECRET_KEY = environment.secret("TREY_SECRET_KEY") or DEVELOPMENT_SECRET_KEY
DEBUG = False
ALLOWED_HOSTS = environment.listing("TREY_HOSTS") or ([] if PRODUCTION else ["localhost", "127.0.0.1", "[::1]"])

# The address at which people open the site: the links in mails begin with it, and live streams recognise our pages by
# it.
_site = ALLOWED_HOSTS[0].lstrip(".") if PRODUCTION and ALLOWED_HOSTS else ""
TREY_SITE_URL = addresses.site(
    environment.text("TREY_SITE_URL", f"https://{_site}" if _site else "http://localhost:8000")
)

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
# Each has a folder that can be deleted with its line here (core/hooks.py).
FEATURES = [
    "chats.apps.ChatsConfig",
    "games.figures.apps.FiguresConfig",
    "games.house.apps.HouseConfig",
    "games.lab.apps.LabConfig",
    "games.lessons.apps.LessonsConfig",
    "games.notes.apps.NotesConfig",
    "games.talk.apps.TalkConfig",
    "games.plans.apps.PlansConfig",
    "games.review.apps.ReviewConfig",
    "tournaments.leaderboards.apps.LeaguesConfig",
    "tournaments.simulations.apps.SimulationsConfig",
]
INSTALLED_APPS = [
    # Before Django's, whose createsuperuser it replaces.
    "core.accounts.apps.AccountsConfig",
    "config.dashboard.DashboardConfig",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.postgres",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.idp.oidc",
    "allauth.usersessions",
    "rest_framework",
    "knox",
    "corsheaders",
    "django_filters",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "config.ops.apps.OpsConfig",
    "core.pages.apps.PagesConfig",
    "core.about.apps.AboutConfig",
    "core.log.apps.LogConfig",
    "core.jobs.apps.JobsConfig",
    "core.notifications.apps.NotificationsConfig",
    "games.apps.GamesConfig",
    "games.apps.GamePagesConfig",
    "tournaments.apps.TournamentsConfig",
    *FEATURES,
]
MIDDLEWARE = [
    "config.ops.middleware.observed",
    "config.middleware.content_security_policy",
    "django.middleware.security.SecurityMiddleware",
    "corsheaders.middleware.CorsMiddleware",
    "config.pages.error_pages",
    "config.middleware.only_text",
    "config.middleware.Files",
    "core.accounts.pages.limits.AccountPages",
    "config.middleware.Sessions",
    "django.middleware.common.CommonMiddleware",
    "config.middleware.Csrf",
    "config.middleware.Users",
    "allauth.account.middleware.AccountMiddleware",
    "core.accounts.login.guests.follow_sessions",
    "config.middleware.Messages",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "config.middleware.FormsOnce",
]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "config" / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "core.accounts.pages.views.account",
                "games.pages.lobby.page.on_pages_below",
                "config.middleware.form_keys",
            ],
            "libraries": {"fields": "core.accounts.pages.adapter", "moments": "core.pages.moments"},
        },
    }
]

# Stores. PostgreSQL is the only truth; everything in Redis may be lost at any moment.
PLACE = embedded.place(os.environ.get("TREY_PROFILE") or "run")
# The folder of pg_dump and its like; None: there is no embedded PostgreSQL.
POSTGRES_TOOLS = embedded.postgres_tools()
POSTGRES_MAJOR = int(embedded.MAJOR)
DATABASE_URL = environment.secret("DATABASE_URL")
# In a container the state directory does not last.
TREY_HEADS_FILE = environment.text("TREY_HEADS_FILE", "none" if DATABASE_URL else str(PLACE.root / "heads"))
if TREY_HEADS_FILE == "none":
    TREY_HEADS_FILE = ""
DATABASES = {"default": addresses.database(DATABASE_URL or embedded.database_url(PLACE))}
# Requests that a process of the web serves at once: those for which it has a thread and a database connection.
TREY_THREADS = environment.integer("TREY_THREADS", at_least=1, at_most=1000)
# The number of threads for requests that hash a password, and of requests that wait for them.
TREY_HASHES = 1
TREY_HASHES_WAITING = 32
# Threads for pages, and as many for the dashboard; how many more requests wait for each, and for how long.
TREY_PAGES = 1
TREY_PAGES_WAITING = 64
TREY_PAGE_SECONDS = 5
TREY_BODY_SECONDS = 10
# Also for the threads of the other lanes (config.serving). Without the database a request must fail soon, and attempts
# to connect are at most a second apart, so that they soon find the server that takes over.
_most = TREY_THREADS + 2 * TREY_PAGES + TREY_HASHES + 3
_pool = {"min_size": 1, "max_size": _most, "timeout": 0.8, "reconnect_timeout": 2}
_database = DATABASES["default"]
_database |= {"TIME_ZONE": None, "CONN_MAX_AGE": 600, "CONN_HEALTH_CHECKS": True}
_options = _database["OPTIONS"]
_options.setdefault("application_name", "trey")
# PostgreSQL plans a statement once per connection instead of each time, which is most of the cost of a short one.
_options |= {"server_side_binding": True, "prepare_threshold": 2}
_limited = partial(addresses.time_limits, _options.get("options", ""))
# Seconds. A migration of a big table may take long.
_statement = 0 if sys.argv[1:2] == ["migrate"] else 600
_options["options"] = _limited(lock_timeout=60, statement_timeout=_statement, idle_in_transaction_session_timeout=60)
# The web alone (config.serving) has a pool and little time. One of its processes that hangs in a transaction holds up
# others no longer than the idle time-out, so waiting for its locks takes a little longer than that.
_little = _limited(lock_timeout=5, statement_timeout=15, idle_in_transaction_session_timeout=4)
TREY_WEB_DATABASE = {
    "CONN_MAX_AGE": 0,
    "CONN_HEALTH_CHECKS": False,
    "OPTIONS": {**_options, "options": _little, "pool": _pool},
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# The web and the process of live streams listen at this address. Clients reach streams at TREY_LIVE_URL; empty: at the
# API's own address.
GRANIAN_HOST = environment.text("GRANIAN_HOST")
GRANIAN_PORT = environment.integer("GRANIAN_PORT", at_least=1, at_most=65535)
TREY_LIVE_PORT = environment.integer("TREY_LIVE_PORT", at_least=1, at_most=65535)
TREY_LIVE_URL = environment.text("TREY_LIVE_URL").rstrip("/")
TREY_LIVE_HEARTBEAT = environment.integer("TREY_LIVE_HEARTBEAT", at_least=1, at_most=3600)
TREY_LIVE_BUFFER = environment.integer("TREY_LIVE_BUFFER", at_least=4096)

REDIS_URL = addresses.redis(environment.secret("REDIS_URL") or embedded.redis_url(PLACE))
# Test runs share one Redis, each with its own prefix.
REDIS_PREFIX = os.environ.get("TREY_TEST_REDIS_PREFIX") or "trey:"
CACHES = {
    "default": {
        "BACKEND": "core.cache.Cache",
        # A list, since Django splits a string at its commas.
        "LOCATION": [REDIS_URL],
        "KEY_PREFIX": REDIS_PREFIX + "cache",
        # Callers do without the cache if it does not respond at once.
        "OPTIONS": {"pool_class": redis_client.Pool},
    }
}

# Tasks. Deadlines are in PostgreSQL. Tasks look for what is due and never use an ETA.
CELERY_BROKER_URL = addresses.broker(REDIS_URL)
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "global_keyprefix": REDIS_PREFIX,
    "socket_timeout": 5,
    # While Redis is away, sending a task fails at once; by default it would be retried for six seconds.
    "max_retries": 0,
    # Seconds after which a worker that waits for a task asks Redis again; its answer must come before the time-out.
    "polling_interval": 4,
    **redis_client.keepalive(REDIS_URL),
}
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_TIME_LIMIT = 300
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_CONCURRENCY = environment.integer("TREY_WORKERS", at_least=1)
# In memory: nothing in it must last, and a full disk does not stop it.
CELERY_BEAT_SCHEDULER = "config.beat:Scheduler"


def _every(interval: timedelta, task: str, *, expires: timedelta | None = None) -> dict[str, Any]:
    """A task that beat sends; after an outage of the workers, one run of it is enough."""
    return {"task": task, "schedule": interval, "options": {"expires": (expires or interval).total_seconds()}}


_SECOND, _MINUTE, _HOUR = timedelta(seconds=1), timedelta(minutes=1), timedelta(hours=1)
CELERY_BEAT_SCHEDULE = {
    # Without a pace each of their moves has a task; this finds those whose task was lost.
    "sweep-bots": _every(_SECOND if TREY_BOT_PACE else 5 * _SECOND, "games.tasks.sweep_bots"),
    "sweep": _every(5 * _SECOND, "games.tasks.sweep", expires=20 * _SECOND),
    "expire-rooms": _every(_MINUTE, "games.tasks.expire_rooms"),
    "finish-closing-accounts": _every(5 * _MINUTE, "core.accounts.tasks.finish_closing"),
    "purge-sessions": _every(_HOUR, "core.accounts.tasks.purge_sessions"),
    "purge-tokens": _every(_HOUR, "accounts.purge_tokens"),
    "purge-codes": _every(_HOUR, "accounts.purge_codes"),
    "close-idle-guests": _every(_HOUR, "core.accounts.tasks.close_idle_guests"),
    "do-chores": _every(5 * _SECOND, "jobs.do_chores", expires=10 * _SECOND),
    "run-tournaments": _every(5 * _SECOND, "tournaments.tasks.run", expires=20 * _SECOND),
    "recover-tournaments": _every(30 * _MINUTE, "tournaments.tasks.recover"),
    # It writes once a day; after a failure, or if nothing ran, it tries again in an hour.
    "publish-heads": _every(_HOUR, "ops.publish_heads"),
    "purge-notifications": _every(_HOUR, "notifications.purge"),
    "purge-receipts": _every(_HOUR, "work.purge_receipts"),
}
for _feature in FEATURES:
    for _task, _seconds in getattr(import_string(_feature), "sweeps", {}).items():
        CELERY_BEAT_SCHEDULE[_task] = _every(_seconds * _SECOND, _task)

# Accounts.
AUTH_USER_MODEL = "accounts.Player"
KNOX_TOKEN_MODEL = "accounts.Token"  # noqa: S105  a model, not a secret
# Without knox's own table, which nothing uses.
MIGRATION_MODULES = {"knox": None}
# The first makes new hashes; passwords hashed by the others still work.
PASSWORD_HASHERS = ["core.accounts.login.hashing.Argon2", "django.contrib.auth.hashers.PBKDF2PasswordHasher"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("UserAttributeSimilarityValidator", "MinimumLengthValidator", "CommonPasswordValidator")
]
# django-allauth: accounts in the browser, apps. Its own limits fail with Redis: off.
# Six unmistakable letters (RFC 8628, section 6.1), ten minutes, five tries.
_CODE_SECONDS, _CODE_TRIES = 600, 5
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/"
ACCOUNT_LOGOUT_REDIRECT_URL = "account_login"
ALLAUTH_USER_CODE_FORMAT = {"length": 6, "dashed": False, "numeric": False}
ACCOUNT_ADAPTER = "core.accounts.pages.adapter.AccountAdapter"
ACCOUNT_FORMS = {
    "add_email": "core.accounts.pages.adapter.AddEmailForm",
    "login": "core.accounts.pages.adapter.LoginForm",
    "signup": "core.accounts.pages.adapter.SignupForm",
    "change_password": "core.accounts.pages.adapter.ChangePasswordForm",
    "reauthenticate": "core.accounts.pages.adapter.ReauthenticateForm",
    "request_login_code": "core.accounts.pages.adapter.RequestLoginCodeForm",
    "reset_password": "core.accounts.pages.adapter.ResetPasswordForm",
}
ACCOUNT_LOGIN_METHODS = {"username", "email"}
# allauth asks for an address if codes verify it; SignupForm removes that field: a name is enough.
ACCOUNT_SIGNUP_FIELDS = ["username*", "email*", "password1*"]
ACCOUNT_EMAIL_VERIFICATION = "mandatory"
ACCOUNT_EMAIL_VERIFICATION_BY_CODE_ENABLED = True
ACCOUNT_EMAIL_VERIFICATION_BY_CODE_TIMEOUT = _CODE_SECONDS
ACCOUNT_EMAIL_VERIFICATION_BY_CODE_MAX_ATTEMPTS = _CODE_TRIES
ACCOUNT_LOGIN_BY_CODE_ENABLED = True
ACCOUNT_LOGIN_BY_CODE_TIMEOUT = _CODE_SECONDS
ACCOUNT_LOGIN_BY_CODE_MAX_ATTEMPTS = _CODE_TRIES
ACCOUNT_PASSWORD_RESET_BY_CODE_ENABLED = True
ACCOUNT_PASSWORD_RESET_BY_CODE_TIMEOUT = _CODE_SECONDS
ACCOUNT_PASSWORD_RESET_BY_CODE_MAX_ATTEMPTS = _CODE_TRIES
ACCOUNT_PREVENT_ENUMERATION = True
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False
ACCOUNT_CHANGE_EMAIL = True
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_REAUTHENTICATION_TIMEOUT = 900
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_RATE_LIMITS = False
MFA_ADAPTER = "core.accounts.pages.adapter.MfaAdapter"
MFA_FORMS = {
    "add_webauthn": "core.accounts.pages.adapter.AddPasskeyForm",
    "edit_webauthn": "core.accounts.pages.adapter.EditPasskeyForm",
    "login_webauthn": "core.accounts.pages.adapter.PasskeyLoginForm",
    "authenticate_webauthn": "core.accounts.pages.adapter.PasskeySecondForm",
    "reauthenticate_webauthn": "core.accounts.pages.adapter.PasskeyAgainForm",
    "activate_totp": "core.accounts.pages.adapter.ActivateAppForm",
    "authenticate": "core.accounts.pages.adapter.SecondFactorForm",
    "reauthenticate": "core.accounts.pages.adapter.SecondFactorAgainForm",
}
MFA_SUPPORTED_TYPES = ["webauthn", "totp", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_ALLOW_UNVERIFIED_EMAIL = True
MFA_TOTP_ISSUER = "Trey"
# A code is also valid in the half minute before and after its own, since the clocks of phones differ.
MFA_TOTP_TOLERANCE = 1
MFA_RATE_LIMITS = False
IDP_OIDC_ADAPTER = "core.accounts.oauth.provider.Adapter"
IDP_OIDC_AUTH_METHODS = ["none"]
IDP_OIDC_AUTHORIZATION_CODE_EXPIRES_IN = 60
IDP_OIDC_ID_TOKEN_EXPIRES_IN = 300
IDP_OIDC_RATE_LIMITS = False
# Passkeys belong to one host for good: a name, not an address.
TREY_PASSKEY_HOST = environment.text("TREY_PASSKEY_HOST") or addresses.passkey_host(TREY_SITE_URL)
TREY_SECOND_FACTOR = environment.choice("TREY_SECOND_FACTOR", "none", "staff", "organisers")
# "open", "none", or the client ids of the apps that may log in.
TREY_APPS = environment.listing("TREY_APPS") or ["open"]
if unknown := [app for app in TREY_APPS if TREY_APPS not in (["open"], ["none"]) and not is_client_id(app)]:
    raise StartupError(f"TREY_APPS must be open, none or ids such as https://owl.example/in, not {unknown[0]!r}.")
REST_KNOX = {
    "TOKEN_TTL": timedelta(days=90),
    "AUTH_HEADER_PREFIX": "Bearer",
}

# The API: core/http has the parts named here.
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "core.accounts.login.authentication.BearerAuthentication",
        "core.accounts.login.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["core.http.media.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["core.http.media.StrictJSONParser"],
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "core.http.media.JSONAlways",
    "EXCEPTION_HANDLER": "core.http.exceptions.exception_handler",
    "DEFAULT_SCHEMA_CLASS": "core.http.openapi.Schema",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Trey",
    "DESCRIPTION": (
        "Play-by-turn card games of the threes family. "
        "To try it: sign up, log in, press *Authorize* and paste the token. Every call is filled in with values that "
        "work. Copy the `id` of a game or a tournament from the response in which you opened it."
    ),
    # In the order in which somebody new needs them.
    "TAGS": [
        {"name": "players", "description": "Signing up, and public profiles."},
        {"name": "auth", "description": "Logging in for a token, and out."},
        {"name": "rulesets", "description": "The games and their options."},
        {"name": "lessons", "description": "Lessons that teach the rules."},
        {"name": "games", "description": "Rooms, and the games that start in them."},
        {"name": "house", "description": "Shedding games with rules that players wrote and saved."},
        {"name": "moves", "description": "Your legal moves, and playing them."},
        {"name": "plans", "description": "Plans: moves that the server makes for you on your next turns."},
        {"name": "talk", "description": "The chat of a table."},
        {"name": "history", "description": "What happened in a game, and the proof that it was fair."},
        {"name": "me", "description": "Your account, your tokens, and the games that are waiting for you."},
        {"name": "notifications", "description": "Your notifications, what happened to them, and where they are sent."},
        {
            "name": "results",
            "description": "Finished games and tournaments, and an export of your own.",
        },
        {"name": "leaderboards", "description": "Ratings of rated games."},
        {"name": "tournaments", "description": "Setting up and running a tournament."},
        {"name": "entries", "description": "The entrants of a tournament."},
        {"name": "rounds", "description": "The rounds of a tournament, their tables and games."},
        {"name": "standings", "description": "Standings, and the record they are computed from."},
        {"name": "rulings", "description": "Organisers' rulings."},
        {"name": "proposals", "description": "Proposals for new rules in a running tournament, and votes on them."},
        {"name": "index", "description": "The addresses of this API."},
    ],
    "VERSION": TREY_VERSION,
    "OAS_VERSION": "3.1.0",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "COMPONENT_SPLIT_REQUEST": True,
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "ENUM_NAME_OVERRIDES": {
        "GameName": "games.api.bodies.GAME_NAMES",
        "BotLevel": "games.api.requests.LEVELS",
        "PlanVerdictWord": "games.rules.plans.VERDICTS",
        "KindEnum": ["season", "rounds", "knockout"],  # of tournaments
        "NotificationKind": "core.notifications.kinds.NAMES",
        "RulingName": "tournaments.stream.ruling.RULINGS",
        "TournamentStatus": "tournaments.api.bodies.STATUSES",
        "ProposalStatus": "tournaments.api.proposals.PROPOSAL_STATUSES",
    },
    "SERVERS": [{"url": "/", "description": "This server"}],
    "PREPROCESSING_HOOKS": ["core.http.openapi.without_slash"],
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "core.http.openapi.complete",
    ],
    "SWAGGER_UI_DIST": "SIDECAR",
    # The token survives a reload of the page.
    "SWAGGER_UI_SETTINGS": {"persistAuthorization": True, "deepLinking": True, "displayRequestDuration": True},
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
}
# By name: (count, seconds), a number, or None. Outside production, tests and fuzzers come from one address.
TREY_LIMITS = limits.read(limits.declared(FEATURES), environment.listing("TREY_LIMITS"), production=PRODUCTION)
# Telling (core/notifications).
# Mail: Django's own settings follow from the address of the server.
TREY_MAIL_URL = environment.secret("TREY_MAIL_URL")
globals().update(addresses.mail(TREY_MAIL_URL))
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = environment.text("TREY_MAIL_FROM") or f"Trey <trey@{urlsplit(TREY_SITE_URL).hostname}>"
# The seconds within which a turn can still be seen before a mail tells of it.
TREY_MAIL_GRACE = environment.integer("TREY_MAIL_GRACE", at_most=7 * 24 * 3600)
TREY_HOOKS_LOCAL = environment.flag("TREY_HOOKS_LOCAL")
TREY_CHAT_SERVICES = environment.listing("TREY_CHAT_SERVICES") or list(CHAT_SERVICES)
if TREY_CHAT_SERVICES == ["none"]:
    TREY_CHAT_SERVICES = []
if unknown := [name for name in TREY_CHAT_SERVICES if name not in CHAT_SERVICES]:
    raise StartupError(f"TREY_CHAT_SERVICES has no {unknown[0]!r}. There are: {', '.join(CHAT_SERVICES)}.")
# The first encrypts; the others still decrypt.
TREY_VAULT_KEYS = (environment.secret("TREY_VAULT_KEYS") or SECRET_KEY).split(",")
TREY_RETRIES = environment.seconds("TREY_RETRIES", count=3)
TREY_PROXIES = environment.integer("TREY_PROXIES", at_most=10)


def _shades(colours: str) -> dict[str, str]:
    return dict(zip(("50", *map(str, range(100, 1000, 100)), "950"), colours.split(), strict=True))


UNFOLD = {
    "SITE_TITLE": "Trey",
    "SITE_HEADER": "Trey",
    "SITE_ICON": lambda _: static("site/icon.svg"),
    # The site's paper, ink and accent (site.css).
    "COLORS": {
        "base": _shades("#fffdf8 #f8f4ec #dcd3c2 #c9bea8 #b3a996 #857b69 #665e51 #4a443a #3d382f #22201c #191714"),
        "primary": _shades("#edf5f4 #d3e8e5 #a9d4cf #7fd1c4 #66c2b6 #4cb0a3 #0d5c56 #0b4d48 #093f3b #07312e #041e1c"),
    },
    "SITE_FAVICONS": [{"rel": "icon", "type": "image/svg+xml", "href": lambda _: static("site/icon.svg")}],
    "SHOW_HISTORY": False,
    "SHOW_VIEW_ON_SITE": False,
    "STYLES": [lambda _: static("dashboard/dashboard.css")],
    "SIDEBAR": {"navigation": "config.dashboard.navigation"},
}

# Pages and files.
TIME_ZONE = "UTC"
# Ireland writes moments as we do everywhere: 21 Nov 2026, 13:05.
LANGUAGE_CODE = "en-ie"
USE_I18N = False
STATIC_URL = "/static/"
# There are few static files, so they are served as installed, without collectstatic.
WHITENOISE_USE_FINDERS = True
DATA_UPLOAD_MAX_MEMORY_SIZE = 1024 * 1024

# Security. Behind the proxy, users come by HTTPS.
# The check looks for the name of Django's CSRF middleware; config.middleware.Csrf is a subclass.
SILENCED_SYSTEM_CHECKS = ["security.W003"]
SESSION_ENGINE = "core.accounts.login.sessions"
SESSION_COOKIE_AGE = 90 * 24 * 3600
CSRF_FAILURE_VIEW = "config.pages.csrf_failure"
# The API takes sessions from its own origin only, so another site's page may call it where its origin is allowed.
CORS_URLS_REGEX = r"^/(api/|\.well-known/|oauth/(?!authorize|device$))"
CORS_ALLOWED_ORIGINS = [one for one in environment.listing("TREY_CORS_ORIGINS") if one != "*"]
# Unless the operator names some, any: an app that nobody registers must not need the operator.
CORS_ALLOW_ALL_ORIGINS = not CORS_ALLOWED_ORIGINS
CORS_ALLOW_HEADERS = [*default_headers, "idempotency-key", "if-match", "if-none-match", "last-event-id"]
CORS_EXPOSE_HEADERS = [
    "ETag", "Location", "RateLimit", "RateLimit-Policy", "Retry-After", "WWW-Authenticate", "X-Request-ID",
]  # fmt: skip
CORS_PREFLIGHT_MAX_AGE = 3600
if PRODUCTION and TREY_SITE_URL.startswith("https:"):
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_SSL_REDIRECT = True
    # Subdomains and preload lists are up to the owner of the domain.
    SILENCED_SYSTEM_CHECKS += ["security.W005", "security.W021"]
    SECURE_HSTS_SECONDS = 365 * 24 * 3600
    SESSION_COOKIE_SECURE = True
    CSRF_COOKIE_SECURE = True
    CSRF_TRUSTED_ORIGINS = [f"https://{host}" for host in ALLOWED_HOSTS]

# Log lines go to standard output.
LOG_FORMAT = environment.choice("TREY_LOG_FORMAT", "text", "json", default="text" if sys.stdout.isatty() else "json")
LOG_LEVEL = environment.choice("TREY_LOG_LEVEL", "debug", "info", "warning", "error").upper()
TREY_LOG_REQUESTS = PRODUCTION or LOG_LEVEL == "DEBUG"
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"lines": {"()": "config.ops.logs.formatter", "form": LOG_FORMAT}},
    "filters": {
        "one_line": {"()": "config.ops.logs.OneLine"},
        "unreachable": {"()": "config.ops.logs.Unreachable"},
    },
    "handlers": {
        "out": {
            "class": "logging.StreamHandler",
            "stream": "ext://sys.stdout",
            "formatter": "lines",
            "filters": ["unreachable"],
        }
    },
    "root": {"handlers": ["out"], "level": LOG_LEVEL},
    "loggers": {
        # config.ops.middleware logs requests.
        "django.request": {"level": "ERROR"},
        # Scanners send unknown host names, which need no traceback.
        "django.security.DisallowedHost": {"filters": ["one_line"]},
        "psycopg.pool": {"level": "ERROR"},
        # They name addresses of webhooks, which may hold tokens.
        "httpx": {"level": "WARNING"},
        "httpcore": {"level": "WARNING"},
        "django": {"handlers": [], "level": LOG_LEVEL, "propagate": True},
        # At debug these say pages of what is no fault: each name that a template looks up in vain, with a traceback.
        "django.template": {"level": "INFO"},
        "django.db.backends.schema": {"level": "INFO"},
        "celery.utils.functional": {"level": "INFO"},
        "celery.worker.strategy": {"level": "WARNING"},
        "celery.app.trace": {"level": "WARNING"},
        "celery.beat": {"level": "WARNING"},
    },
}

# The folder through which the processes of a machine share their metrics.
PROMETHEUS_MULTIPROC_DIR = os.environ.get("PROMETHEUS_MULTIPROC_DIR", "")
