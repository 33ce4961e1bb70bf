"""Django's settings, one file for every way to run; `wargame/running/env.py` has the variables that choose.

Without any variable the service is embedded: SQLite, job files and local memory, all in the data folder.
PostgreSQL and Redis are used only where DATABASE_URL and REDIS_URL name them.
"""

import sys
from datetime import timedelta
from socket import gethostname
from typing import Any
from urllib.parse import urlsplit

from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured
from environ import Env

from wargame.running import data_folder, env
from wargame.version import full_version
from wargame.web import errors

BASE_DIR = env.PROJECT
try:
    VARIABLES = env.get_all()
    globals().update(VARIABLES)  # each is a setting of the same name; some of them change below
    DATA_FOLDER = VARIABLES["WARGAME_DATA"]
    if VARIABLES["SECRET_KEY"]:
        SECRET_KEY = VARIABLES["SECRET_KEY"]
    elif VARIABLES["SECRET_KEY_FILE"]:
        SECRET_KEY = data_folder.read_key(VARIABLES["SECRET_KEY_FILE"])
    else:
        SECRET_KEY = data_folder.secret_key(DATA_FOLDER)
    if not (VARIABLES["DATABASE_URL"] and VARIABLES["REDIS_URL"]):
        data_folder.make(DATA_FOLDER)
        if open_to_others := data_folder.keep_private(DATA_FOLDER):
            print(open_to_others, file=sys.stderr)
except env.BadVariable as error:
    raise ImproperlyConfigured(str(error)) from None

HTTPS = VARIABLES["HTTPS"]
PUBLIC_URL = VARIABLES["PUBLIC_URL"] or ("https://localhost" if HTTPS else f"http://localhost:{VARIABLES['PORT']}")
PUBLIC_URL = PUBLIC_URL.rstrip("/")
HOST_PAGES = {name: VARIABLES[name.upper()] for name in ("imprint", "privacy")}
ALLOWED_HOSTS = [*VARIABLES["ALLOWED_HOSTS"], urlsplit(PUBLIC_URL).hostname]
CSRF_TRUSTED_ORIGINS = [PUBLIC_URL]

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "django_htmx",
    "axes",
    "csp",
    "django_otp",
    "django_otp.plugins.otp_totp",
    "wargame",
    "judging",
]
MIDDLEWARE = [
    "wargame.web.requests.RequestIdMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "wargame.web.headers.PermissionsPolicy",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "wargame.web.headers.PrivatePages",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "wargame.web.languages.LanguageMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "judging.accounts.two_factor.middleware.RequireTwoFactor",
    "judging.people.middleware.BanNoticeMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "axes.middleware.AxesMiddleware",
    "judging.common.request_cache.RequestCacheMiddleware",
    "judging.common.db_errors.BusyMiddleware",
    "judging.accounts.trusted_browsers.TrustedBrowserMiddleware",
    "judging.accounts.sessions.middleware.SessionRecordMiddleware",
    "judging.common.form_views.FriendlyMethodNotAllowed",
    "judging.accounts.tokens.middleware.RejectTokenInUrl",
]
ROOT_URLCONF = "wargame.urls"
WSGI_APPLICATION = "wargame.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "judging.context_processors.site",
            ],
        },
    }
]
USE_TZ = True
TIME_ZONE = "UTC"
# docs/develop/decisions/13-languages.md
LANGUAGES = [env.LANGUAGES[code] for code in VARIABLES["WARGAME_LANGUAGES"]]
LANGUAGE_CODE = LANGUAGES[0][0]
LOCALE_PATHS = [BASE_DIR / "wargame" / "locale"]
LANGUAGE_COOKIE_NAME = "language"
LANGUAGE_COOKIE_AGE = 365 * 24 * 3600
LANGUAGE_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SAMESITE = "Lax"
FORMAT_MODULE_PATH = "wargame.formats"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# The database. SQLite's writers wait for each other at BEGIN, so that none finds the database locked halfway. A writer
# tries twice, and so is told that the service is busy after twice that many seconds.
SQLITE = {
    "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
    "transaction_mode": "IMMEDIATE",
    "timeout": 10,
}
DATABASE: dict[str, Any] = {"ENGINE": "django.db.backends.sqlite3", "NAME": DATA_FOLDER / "db.sqlite3"}
if VARIABLES["DATABASE_URL"]:
    DATABASE = Env.db_url_config(VARIABLES["DATABASE_URL"])
DATABASE |= {"CONN_MAX_AGE": 60, "CONN_HEALTH_CHECKS": True}
if DATABASE["ENGINE"] == "django.db.backends.sqlite3":
    DATABASE["OPTIONS"] = SQLITE
DATABASES = {"default": DATABASE}

# Jobs and cache. A message is never the truth, so losing one is harmless and keeping results has no use.
CELERY_TASK_IGNORE_RESULT = True
CELERY_TIMEZONE = TIME_ZONE
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_CONCURRENCY = VARIABLES["JOB_THREADS"]
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TASK_PUBLISH_RETRY_POLICY = {"max_retries": 2, "interval_start": 0.1, "interval_step": 0.2}
# What waits for another machine, which may be silent: mail servers, push services, webhooks, the beacon, anchors.
# A backup waits for a disk, and for its encryption.
OUTWARD = ("send_letters", "send_pushes", "send_hooks", "ask_beacon", "write_anchors", "make_backup")
CELERY_TASK_ROUTES = {f"judging.tasks.{name}": {"queue": "mail"} for name in OUTWARD}
CELERY_BEAT_SCHEDULER = "celery.beat:Scheduler"
CHORES = (
    *(
        "tell_of_overdue",
        "mind_judges",
        "fetch_beacon",
        "roll_mixed",
        "anchor_chains",
        "end_exceptions",
        "end_excesses",
    ),
    *("count_votes", "remind_voters", "pass_on_appeals", "mind_tables"),
    *("end_bars", "delete_accounts", "gather_notifications", "remind_of_deadlines", "deliver_notifications"),
    *("gather_hooks", "start_daily_jobs"),
)
SWEEP_SECONDS = VARIABLES["SWEEP_SECONDS"]
CHORE_SECONDS = max(10.0, SWEEP_SECONDS)
# What is due in hours is looked for once a minute: all posts of a turn are read for it in its last day.
EVERY = dict.fromkeys(("remind_of_deadlines", "mind_judges", "start_daily_jobs"), max(60.0, CHORE_SECONDS))
CELERY_BEAT_SCHEDULE = {
    **{
        name: {
            "task": f"judging.tasks.{name}",
            "schedule": EVERY.get(name, CHORE_SECONDS),
            "options": {"expires": 2 * EVERY.get(name, CHORE_SECONDS)},
        }
        for name in CHORES
    },
    "sweep": {
        "task": "judging.tasks.sweep",
        "schedule": SWEEP_SECONDS,
        "options": {"expires": max(10.0, 2 * SWEEP_SECONDS)},
    },
}
if VARIABLES["REDIS_URL"]:
    CELERY_BROKER_URL = VARIABLES["REDIS_URL"]
    CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, Any] = {
        "visibility_timeout": 3600,
        "unacked_restore_interval": 10,
        "unacked_restore_throttle": 1,
        "socket_connect_timeout": 5,
        "socket_keepalive": True,
    }
    CACHES = {
        "default": {
            "BACKEND": "wargame.web.fallback_cache.FallbackCache",
            "LOCATION": VARIABLES["REDIS_URL"],
            "KEY_PREFIX": "wargame",
        }
    }
else:
    CELERY_BROKER_URL = "filesystem://jobs"
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        "data_folder_in": str(DATA_FOLDER / "jobs"),
        "data_folder_out": str(DATA_FOLDER / "jobs"),
        "control_folder": str(DATA_FOLDER / "jobs-control"),
        "store_processed": False,
        "polling_interval": 0.1,
    }
    CELERY_WORKER_ENABLE_REMOTE_CONTROL = False
    (DATA_FOLDER / "jobs").mkdir(exist_ok=True)
    CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}

# Static files: from the source, or hashed and packed from STATIC_ROOT.
STATIC_URL = "static/"
STATIC_ROOT = VARIABLES["STATIC_ROOT"]
WHITENOISE_USE_FINDERS = not STATIC_ROOT
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"
        if STATIC_ROOT
        else "django.contrib.staticfiles.storage.StaticFilesStorage"
    },
}

# People and their log-ins.
AUTHENTICATION_BACKENDS = [
    "judging.accounts.trusted_browsers.Guard",
    "axes.backends.AxesStandaloneBackend",
    "django.contrib.auth.backends.ModelBackend",
]
# A hash that is not of the first kind is changed at its owner's next log-in.
PASSWORD_HASHERS = ["wargame.web.passwords.Argon2", "django.contrib.auth.hashers.PBKDF2PasswordHasher"]
PASSWORDS = "django.contrib.auth.password_validation"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"{PASSWORDS}.UserAttributeSimilarityValidator"},
    {"NAME": f"{PASSWORDS}.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": f"{PASSWORDS}.CommonPasswordValidator"},
    {"NAME": f"{PASSWORDS}.NumericPasswordValidator"},
]
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "/"
AXES_FAILURE_LIMIT = 10
AXES_COOLOFF_TIME = timedelta(minutes=10)
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_WHITELIST_CALLABLE = "judging.accounts.trusted_browsers.is_known"
AXES_LOCKOUT_TEMPLATE = "lockout.html"
AXES_CLIENT_IP_CALLABLE = "wargame.web.client_ip.network"
AXES_RESET_ON_SUCCESS = True
AXES_VERBOSE = False

# What a browser may do with our pages, and what it may send.
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "img-src": [SELF, "data:"],
        "object-src": [NONE],
        "base-uri": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}
X_FRAME_OPTIONS = "DENY"
CSRF_FAILURE_VIEW = "judging.turns.posts.views.csrf_failure"
SECURE_REFERRER_POLICY = "same-origin"
DATA_UPLOAD_MAX_MEMORY_SIZE = 2_000_000
FILE_UPLOAD_HANDLERS = [
    "wargame.web.uploads.LimitedUpload",
    "django.core.files.uploadhandler.MemoryFileUploadHandler",
    "django.core.files.uploadhandler.TemporaryFileUploadHandler",
]
# How often open pages ask whether there is something new, and how old the answer may be: together 5 seconds.
POLL_SECONDS = 4
FRESH_SECONDS = 1
if HTTPS:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_SSL_REDIRECT = True
    # Monitors and proxies on the same machine speak no HTTPS.
    SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^livez$", r"^metrics$"]
    SECURE_HSTS_SECONDS = 30 * 24 * 3600
    # Browsers take cookies with this prefix from this host alone, so that no neighbour on a subdomain can set one.
    SESSION_COOKIE_NAME = "__Host-sessionid"
    CSRF_COOKIE_NAME = "__Host-csrftoken"
    SESSION_COOKIE_SECURE = True
    CSRF_COOKIE_SECURE = True
    LANGUAGE_COOKIE_SECURE = True
# Neighbours on other subdomains, and the browsers' preload list, are the domain owner's business.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]

# The API.
API_RATE = VARIABLES["API_RATE"]
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "judging.accounts.authentication.Browser",
        "judging.accounts.authentication.Token",
        "judging.accounts.authentication.Password",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticatedOrReadOnly"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "DEFAULT_THROTTLE_CLASSES": [
        "judging.api.throttling.VisitorThrottle",
        "judging.api.throttling.PersonThrottle",
    ],
    "DEFAULT_THROTTLE_RATES": {"anon": API_RATE, "user": API_RATE},
    "DEFAULT_PAGINATION_CLASS": "rest_framework.pagination.LimitOffsetPagination",
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "DEFAULT_VERSIONING_CLASS": None,
    "PAGE_SIZE": 100,
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
}
API_DESCRIPTION = (
    "\nRounds, maps, armies, turns, posts and battles, as far as they are public. Start at `/api/v1/`, which "
    "links to the rest.\nEvery error has `detail`, a sentence; `cites`, the rule or ruling; and `code`, for "
    "programs.\n\nReading needs no log-in; writing needs a player's. Scripts send a token with each request. "
    "Players create, list and\nrevoke their tokens on their account page:\n\n    curl "
    'https://wargame.example/api/v1/rounds/first-war/turns/4/posts/ \\\n         --header "Authorization: Bearer '
    'wg_abcdefgh_…" \\\n         --json \'{"text": "Sai Rei: 5E > 8E", "token": "monday-orders-1"}\'\n\nA '
    "token can do what it was made for: `read` sees what its owner sees as a player; `post` posts, votes and "
    "sends for\nthem; `judge` adds their roles as a judge. Without `judge`, a judge's token sees no more than "
    "anyone else's.\n(Some hosts also let scripts log in with a name and password, HTTP Basic. Wrong ones count "
    "as on the log-in page.)\n\n`?fields=name,at` returns only these fields of an answer, or of each item in a "
    "list. Answers have an `ETag`. Send it as\n`If-None-Match`, and you get a 304 if nothing has changed. Send "
    "it as `If-Match` with a change, and the change is\nrefused if someone else was faster (412).\n\nA browser "
    "that is logged in to the site uses its session instead. It also sends its cookie `csrftoken` (with "
    "HTTPS\n`__Host-csrftoken`) as the header `X-CSRFToken`; this page does so automatically.\n"
)
SPECTACULAR_SETTINGS = {
    "TITLE": VARIABLES["SITE_NAME"],
    "DESCRIPTION": API_DESCRIPTION,
    "TAGS": [
        {"name": name}
        for name in (
            *("rounds", "map", "armies", "control", "votes", "creatures", "turns", "posts", "battles", "strats"),
            *("boards", "notifications", "verify", "tokens", "tables"),
        )
    ],
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "judging.api.schema.told_of",
    ],
    "VERSION": "1",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    # Hundreds of operations, all unfolded, keep a browser busy for half a minute: one opens what one looks for.
    "SWAGGER_UI_SETTINGS": {
        "deepLinking": True,
        "docExpansion": "none",
        "filter": True,
        "defaultModelsExpandDepth": -1,
    },
    "REDOC_DIST": "SIDECAR",
    "ENUM_NAME_OVERRIDES": {
        "SideEnum": "wargame.models.choices.SIDES",
        "TeamEnum": "judging.api.shapes.TEAM_SIDES",
        "RoundStateEnum": "judging.api.shapes.ROUND_STATES",
        "TurnStateEnum": "judging.api.shapes.TURN_STATES",
        "VoteKindEnum": "judging.votes.models.KINDS",
        "RulingKindEnum": "judging.turns.rulings.api.RULING_KINDS",
        "AppealKindEnum": "judging.appeals.api.APPEAL_KINDS",
        "TableStateEnum": "judging.tables.models.TableState",
        "TableReportStateEnum": "judging.tables.talk.models.TableReport.State",
        "TableAppealStateEnum": "judging.tables.conduct.models.TableAppeal.State",
        "SanctionKindEnum": "judging.tables.conduct.models.Sanction.Kind",
    },
}

# Mail and logs.
if VARIABLES["EMAIL_URL"]:
    vars().update(Env.email_url_config(VARIABLES["EMAIL_URL"]))
else:
    EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"
# A mail server that accepts and says nothing must not hold its worker for ever.
EMAIL_TIMEOUT = 20
DEFAULT_FROM_EMAIL = SERVER_EMAIL = VARIABLES["EMAIL_FROM"]
# By machine, because containers that share the folder have processes of the same numbers.
METRICS_FOLDER = DATA_FOLDER / "metrics" / gethostname() if VARIABLES["METRICS_FROM"] else None
# What they would say at INFO of each job, and of each wrong name of the host, hides what happened.
QUIET = {
    **{name: {"level": "WARNING"} for name in ("axes", "celery.app.trace", "celery.beat", "celery.worker.strategy")},
    "django.security.DisallowedHost": {"level": "CRITICAL"},
    # Of what is refused it says once more, without the number, what the line of the request says.
    "django.request": {"level": "ERROR"},
}
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"()": "wargame.web.logs.Discreet"}, "json": {"()": "wargame.web.logs.DiscreetJson"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": VARIABLES["LOG_FORMAT"]}},
    "root": {"handlers": ["stderr"], "level": VARIABLES["LOG_LEVEL"]},
    "loggers": {"django": {"handlers": [], "propagate": True}, **QUIET},
}
if VARIABLES["SENTRY_DSN"]:
    errors.report_to(VARIABLES["SENTRY_DSN"], full_version())
