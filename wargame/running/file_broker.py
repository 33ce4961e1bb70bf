"""Job messages as files, for the embedded service: kombu's filesystem transport with complete messages only."""

import time
import uuid
from pathlib import Path

from kombu.transport import filesystem
from kombu.utils.json import dumps


class Channel(filesystem.Channel):
    """A channel whose readers never see a message before it is complete: a half-read one ends the worker."""

    def _put(self, queue: str, payload: object, **kwargs: object) -> None:  # type: ignore[override]
        """Write the message under a name that no reader looks for, then rename it."""
        path = Path(self.data_folder_out, f"{time.monotonic_ns():020}_{uuid.uuid4()}.{queue}.msg")
        draft = path.with_suffix(".draft")
        draft.write_text(dumps(payload))
        draft.rename(path)


class Transport(filesystem.Transport):
    Channel = Channel
