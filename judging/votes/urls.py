from django.urls import path

from judging.votes import api, views

VOTES = "rounds/<slug:slug>/votes"
ROUND = "rounds/<slug:slug>"

urlpatterns = [
    path(f"{VOTES}/", views.votes, name="votes"),
    path(f"{VOTES}/new/", views.new, name="vote-new"),
    path(f"{VOTES}/<int:vote_id>/", views.vote, name="vote"),
]

api_urlpatterns = [
    path(f"{ROUND}/votes/", api.Votes.as_view(), name="api-votes"),
    path(f"{ROUND}/votes/<int:vote_id>/", api.OneVote.as_view(), name="api-vote"),
    path(f"{ROUND}/votes/<int:vote_id>/ballot/", api.OwnBallot.as_view(), name="api-ballot"),
]
