from django.contrib.auth.views import LogoutView
from django.urls import path

from judging.accounts.sessions.views import sessions
from judging.accounts.tokens import api
from judging.accounts.two_factor import views as second

urlpatterns = [
    path("accounts/logout/", LogoutView.as_view(), name="logout"),
    path("accounts/second/", second.second, name="second"),
    path("accounts/second/set-up/", second.set_up, name="second-set-up"),
    path("accounts/sessions/", sessions, name="sessions"),
]

api_urlpatterns = [
    path("tokens/", api.Tokens.as_view(), name="api-tokens"),
    path("tokens/<str:prefix>/", api.OneToken.as_view(), name="api-token"),
]
