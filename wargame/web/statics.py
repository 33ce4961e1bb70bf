"""Our own styles and scripts as they are collected: without comments and indentation, which go over a phone otherwise.

Nobody reads them in a browser: the source is beside them. Lines of a script stay lines, so that an error names one and
no statement runs into the next.
"""

from __future__ import annotations

import re

from django.core.files.base import ContentFile, File
from whitenoise.storage import CompressedManifestStaticFilesStorage

OURS = "judging/"

STRINGS = re.compile(r"""("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|url\([^)"']*\))""")
"""What is left as it stands in a style sheet: texts and addresses."""

REMARKS = re.compile(rf"{STRINGS.pattern}|/\*.*?\*/", re.DOTALL)

SPACES = re.compile(r"\s+")
AROUND = re.compile(r" ?([{};,>]) ?")
"""Signs beside which no space is needed, in selectors and values alike."""

BLOCKS = re.compile(r"^\s*/\*.*?\*/[ \t]*$", re.DOTALL | re.MULTILINE)
COMMENTS = re.compile(r"^[ \t]*//.*$", re.MULTILINE)
INDENTATION = re.compile(r"\n\s+")


def squeezed_styles(source: str) -> str:
    """A style sheet without comments, and with spaces only where they part something."""
    parts = STRINGS.split(REMARKS.sub(lambda found: found[1] or "", source))
    for place in range(0, len(parts), 2):
        parts[place] = AROUND.sub(r"\1", SPACES.sub(" ", parts[place])).replace(": ", ":").replace(";}", "}")
    return "".join(parts).strip() + "\n"


def squeezed_script(source: str) -> str:
    """A script without lines that are comments, and without what its lines begin with. One in which a text goes over
    several lines stays as it is."""
    if any(line.count("`") % 2 for line in source.splitlines()):
        return source
    return INDENTATION.sub("\n", COMMENTS.sub("", BLOCKS.sub("", source))).strip() + "\n"


class Storage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Packed files with hashed names, ours squeezed before."""

    def _save(self, name: str, content: File[bytes]) -> str:
        saved: str = super()._save(name, squeezed(name, content))
        return saved

    def file_hash(self, name: str | None, content: File[bytes] | None = None) -> str:
        """The hash of a file as it is sent, so that another way to squeeze gives files other names."""
        hashed: str = super().file_hash(name, None if content is None else squeezed(name, content))
        return hashed


def squeezed(name: str | None, content: File[bytes]) -> File[bytes]:
    """The file as it is sent. The list of all names has none itself."""
    path = (name or "").replace("\\", "/")
    squeeze = {".css": squeezed_styles, ".js": squeezed_script}.get(path[path.rfind(".") :])
    if squeeze is None or not path.startswith(OURS):
        return content
    content.seek(0)
    return ContentFile(squeeze(content.read().decode()).encode())
