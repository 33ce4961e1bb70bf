"""1.6: Signal for a deleted account, which gets another name. Apps that store names or addresses of their own listen
to it."""

from django.dispatch import Signal

renamed = Signal()
"""Sent with `user` and their new `name`, within the transaction that deletes the account."""
