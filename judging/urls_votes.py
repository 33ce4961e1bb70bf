"""1.4: the addresses of votes."""

from django.urls import path

from judging.views import votes

VOTES = "rounds/<slug:slug>/votes"

urlpatterns = [
    path(f"{VOTES}/", votes.votes, name="votes"),
    path(f"{VOTES}/new/", votes.new, name="vote-new"),
    path(f"{VOTES}/<int:vote_id>/", votes.vote, name="vote"),
]
