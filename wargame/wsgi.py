"""The site for a WSGI server."""

import os

from django.core.wsgi import get_wsgi_application
from django.urls import get_resolver

from wargame.upkeep.schema import require_schema

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "wargame.settings")

application = get_wsgi_application()
require_schema()
# All views are imported before the server forks: no first visitor waits for them, and workers share their memory.
_ = get_resolver().url_patterns
