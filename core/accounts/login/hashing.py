"""Hashing of passwords with Argon2. Each hash takes a core and 64 MiB.

Requests to calls that hash share a thread of the gateway (`config.serving`), so that few passwords are hashed at once.
"""

from django.contrib.auth.hashers import Argon2PasswordHasher

#: The URLs that hash a password when something is sent to them, by name.
CALLS = (
    "api:players", "api:login", "api:password", "api:close", "api:address", "api:reset_password", "account_login",
    "account_signup", "account_reauthenticate", "account_change_password", "account_set_password",
    "account_complete_password_reset", "keep-page",
)  # fmt: skip


class Argon2(Argon2PasswordHasher):
    """Argon2id with the cost of RFC 9106's second recommended option (section 4), but in one lane.

    More lanes would take all cores of a small server for one log-in; what an attacker has to compute stays the same.
    """

    time_cost = 3
    memory_cost = 64 * 1024
    parallelism = 1
