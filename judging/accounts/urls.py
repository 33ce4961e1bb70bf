"""The addresses of accounts."""

from django.contrib.auth.views import LogoutView
from django.urls import path

from judging.accounts import pages
from judging.accounts.second import pages as second
from judging.accounts.sessions.pages import sessions
from judging.accounts.tokens import api

urlpatterns = [
    path("language/", pages.language, name="language"),
    path("accounts/", pages.account, name="account"),
    path("accounts/sign-up/", pages.sign_up, name="sign-up"),
    path("accounts/logout/", LogoutView.as_view(), name="logout"),
    path("accounts/mail/<str:token>/", pages.confirm, name="mail-confirm"),
    path("accounts/second/", second.second, name="second"),
    path("accounts/second/set-up/", second.set_up, name="second-set-up"),
    path("accounts/sessions/", sessions, name="sessions"),
    path("accounts/tokens/", pages.tokens, name="tokens"),
    path("accounts/tokens/<str:prefix>/revoke/", pages.token_revoke, name="token-revoke"),
    path("accounts/reset/", pages.Reset.as_view(), name="password_reset"),
    path("accounts/reset/sent/", pages.reset_sent, name="password_reset_done"),
    path("accounts/reset/<uidb64>/<token>/", pages.NewPassword.as_view(), name="password_reset_confirm"),
]

api_urlpatterns = [
    path("tokens/", api.Tokens.as_view(), name="api-tokens"),
    path("tokens/<str:prefix>/", api.OneToken.as_view(), name="api-token"),
]
