"""A backup's encryption: the format of `age`, so that anybody opens it with that program, without this service."""

from pathlib import Path
from typing import BinaryIO

import pyrage

from wargame.upkeep.errors import Unusable

HEAD = b"age-encryption.org/v1\n"
"""How an encrypted file begins."""


def encrypt(plain: BinaryIO, sealed: BinaryIO, recipients: list[str]) -> None:
    """Writes `plain` for all `recipients`, public keys like `age1...`: the server can't read what it wrote.

    Raises Unusable for a text that is no key.
    """
    try:
        keys = [pyrage.x25519.Recipient.from_str(text) for text in recipients]
    except pyrage.RecipientError:
        raise Unusable("Keys to encrypt for begin with “age1”. Run `age-keygen` to make one.") from None
    pyrage.encrypt_io(plain, sealed, keys)


def decrypt(sealed: BinaryIO, plain: BinaryIO, identity: Path) -> None:
    """Writes what is in `sealed`, with the key in the file that `age-keygen` made.

    Raises Unusable if the key is not one of those that it was encrypted for, or the file is not whole.
    """
    try:
        lines = identity.read_text().split()
    except (OSError, ValueError):
        raise Unusable(f"The key file {identity} can't be read.") from None
    try:
        keys = [pyrage.x25519.Identity.from_str(line) for line in lines if line.startswith("AGE-SECRET-KEY-")]
    except pyrage.IdentityError:
        keys = []
    if not keys:
        raise Unusable(f"{identity} has no key in it. Use the file that `age-keygen` made.")
    try:
        pyrage.decrypt_io(sealed, plain, keys)
    except (pyrage.DecryptError, OSError):
        raise Unusable("The backup can't be decrypted. It is for another key, or it is incomplete.") from None
