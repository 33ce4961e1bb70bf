"""A backup's encryption: the format of `age`, so that anybody can open it with that program alone."""

from pathlib import Path
from typing import BinaryIO

import pyrage

from wargame.upkeep.errors import Unusable

HEAD = b"age-encryption.org/v1\n"
"""The beginning of an encrypted file."""


def encrypt(plain: BinaryIO, sealed: BinaryIO, recipients: list[str]) -> None:
    """Encrypt `plain` for all `recipients`, public keys like `age1...`: the server can't read the result.

    Raises Unusable for a text that is no key.
    """
    try:
        keys = [pyrage.x25519.Recipient.from_str(text) for text in recipients]
    except pyrage.RecipientError:
        raise Unusable("Keys to encrypt for begin with “age1”. Run `age-keygen` to make one.") from None
    pyrage.encrypt_io(plain, sealed, keys)


def decrypt(sealed: BinaryIO, plain: BinaryIO, identity: Path) -> None:
    """Decrypt `sealed`, with the key in the file that `age-keygen` made.

    Raises Unusable if it was not encrypted for this key, or the file is incomplete.
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
