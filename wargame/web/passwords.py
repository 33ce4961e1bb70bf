"""How passwords are kept."""

from django.contrib.auth.hashers import Argon2PasswordHasher


class Argon2(Argon2PasswordHasher):
    """Argon2id at what OWASP asks for: 19 MiB, two passes, one lane; about 30 ms.

    Django's own figures take 100 MiB for each log-in at a time, which eight threads can't spare. Changing a figure
    changes every hash at its owner's next log-in.
    """

    memory_cost = 19_456
    time_cost = 2
    parallelism = 1
