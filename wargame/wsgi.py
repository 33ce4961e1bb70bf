import os
from importlib import import_module

from django.core.wsgi import get_wsgi_application
from django.urls import get_resolver
from django.utils import timezone

from wargame.upkeep.schema import require_schema
from wargame.web.static_files import require_static_files

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "wargame.settings")

application = get_wsgi_application()
require_schema()
require_static_files()
import_module("wargame.web.metrics").remove_old_files(timezone.now())
# All views are imported before the server forks: no first visitor waits for them, and workers share their memory.
_ = get_resolver().url_patterns
