"""Static files as `manage.py collectstatic` writes them for production: without comments and spaces, hashed, packed."""

from __future__ import annotations

from collections.abc import Callable

import rcssmin
import rjsmin
from django.core.files.base import ContentFile, File
from whitenoise.storage import CompressedManifestStaticFilesStorage

SHORTER: dict[str, Callable[[str], str]] = {".css": rcssmin.cssmin, ".js": rjsmin.jsmin}


class PackedStaticFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Our own styles and scripts lose what only people read; what is short already (`.min.js`) stays as it is."""

    def _save(self, name: str, content: File[bytes]) -> str:
        ending = name[name.rfind(".") :]
        if name.startswith("judging/") and ending in SHORTER:
            content.seek(0)
            content = ContentFile(SHORTER[ending](content.read().decode()).encode())
        saved: str = super()._save(name, content)
        return saved
