"""The addresses of accounts."""

from django.contrib.auth.views import LogoutView
from django.urls import path

from judging.accounts import pages

urlpatterns = [
    path("accounts/", pages.account, name="account"),
    path("accounts/sign-up/", pages.sign_up, name="sign-up"),
    path("accounts/logout/", LogoutView.as_view(), name="logout"),
    path("accounts/mail/<str:token>/", pages.confirm, name="mail-confirm"),
    path("accounts/reset/", pages.Reset.as_view(), name="password_reset"),
    path("accounts/reset/sent/", pages.reset_sent, name="password_reset_done"),
    path("accounts/reset/<uidb64>/<token>/", pages.NewPassword.as_view(), name="password_reset_confirm"),
]
