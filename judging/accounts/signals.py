"""1.6: who is deleted is called otherwise from then on; what keeps names or ways to him of its own hears of it here."""

from django.dispatch import Signal

renamed = Signal()
"""Sent with `user` and his new `name`, within the transaction in which he is deleted."""
