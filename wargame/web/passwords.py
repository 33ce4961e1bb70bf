from django.contrib.auth.hashers import Argon2PasswordHasher


class Argon2(Argon2PasswordHasher):
    """Argon2id with OWASP's parameters: 19 MiB, two passes, one lane; about 30 ms.

    Django's own parameters take 100 MiB for each concurrent log-in, which eight threads can't spare. Changing a
    parameter changes every hash at its owner's next log-in.
    """

    memory_cost = 19_456
    time_cost = 2
    parallelism = 1
