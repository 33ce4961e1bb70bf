"""The folder with the embedded service's files: database, secret key, job files, logs."""

import fcntl
import os
import secrets
import stat
from pathlib import Path
from typing import TextIO

from wargame.running.env import LEAST_KEY, BadVariable


def make(folder: Path) -> Path:
    """`folder`, created for its owner only if it doesn't exist. Raises BadVariable if it isn't writable."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise _unwritable(folder, error) from None
    if not os.access(folder, os.W_OK | os.X_OK):
        raise BadVariable(f"The data folder {folder} is not writable. Set WARGAME_DATA to another folder.")
    return folder


OURS = ("db.sqlite3*", "secret_key*", "launcher.lock", "logs", "logs/*", "jobs", "jobs-control")
"""The service's files in its folder."""


def keep_private(folder: Path) -> str:
    """Make the files in `folder` and all new files of this process readable for its user only; returns a sentence if
    that is impossible, else "".

    A folder that existed before is also closed, unless it is shared, like /tmp, or the user's home.
    """
    os.umask(0o077)
    is_shared = folder.stat().st_mode & stat.S_ISVTX or folder in (Path.home(), Path("/"))
    paths = [path for pattern in OURS for path in folder.glob(pattern)]
    for path in [*([] if is_shared else [folder]), *paths]:
        try:
            mode = path.lstat().st_mode
            if mode & 0o077 and not stat.S_ISLNK(mode):
                path.chmod(stat.S_IMODE(mode) & ~0o077)
        except FileNotFoundError:
            continue  # the database's journals come and go
        except OSError as error:
            return f"Other users of this machine can read {path}, and its permissions can't be changed ({_why(error)})."
    return ""


def secret_key(folder: Path) -> str:
    """The secret key stored in `folder`, created there on the first call, readable only by its owner.

    It is linked into place when it is complete: two processes that create it at once get the same one.
    """
    path = make(folder) / "secret_key"
    if not path.exists():
        draft = path.with_name(f"secret_key.{os.getpid()}")
        try:
            with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
                file.write(secrets.token_urlsafe(50))
            os.link(draft, path)
        except FileExistsError:
            pass
        except OSError as error:
            raise _unwritable(folder, error) from None
        finally:
            draft.unlink(missing_ok=True)
    return read_key(path)


def read_key(path: Path) -> str:
    """The secret key in the file `path`. Raises BadVariable if there is none, or one that can be guessed."""
    try:
        key = path.read_text().strip()
    except (OSError, ValueError) as error:
        raise BadVariable(f"The secret key in {path} can't be read ({_why(error)}).") from None
    if not key:
        raise BadVariable(f"The secret key in {path} is empty. Delete the file, or put a long random text into it.")
    if len(key) < LEAST_KEY:
        raise BadVariable(f"The secret key in {path} is too short: it must have {LEAST_KEY} characters or more.")
    return key


def lock(folder: Path) -> TextIO:
    """Lock `folder` for this process until it ends. Raises BadVariable if another launcher has locked it."""
    try:
        file = open(folder / "launcher.lock", "a+")  # noqa: SIM115 - it stays open as long as the lock is held
    except OSError as error:
        raise _unwritable(folder, error) from None
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.seek(0)
        holder = file.read().strip() or "unknown"
        raise BadVariable(
            f"A launcher (process {holder}) is already running on {folder}. "
            "Stop it, or set WARGAME_DATA to another folder."
        ) from None
    file.truncate(0)
    file.write(f"{os.getpid()}\n")
    file.flush()
    return file


def clear(folder: Path) -> None:
    """Remove the remains of an earlier run: job messages, mere hints that would delay new ones in a long queue, and
    the processes' metrics."""
    for file in (*(folder / "jobs").glob("*"), *(folder / "metrics").glob("**/*.db")):
        file.unlink(missing_ok=True)


def _unwritable(folder: Path, error: OSError) -> BadVariable:
    return BadVariable(
        f"The data folder {folder} can't be written ({_why(error)}). Set WARGAME_DATA to another folder."
    )


def _why(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)
