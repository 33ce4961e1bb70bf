"""1.6: the addresses of a person's own account."""

from django.contrib.auth.views import LogoutView
from django.urls import path

from judging.views import accounts, home

urlpatterns = [
    path("accounts/", accounts.account, name="account"),
    path("accounts/sign-up/", accounts.sign_up, name="sign-up"),
    path("accounts/login/", home.LogIn.as_view(), name="login"),
    path("accounts/logout/", LogoutView.as_view(), name="logout"),
    path("accounts/password/", home.ChangePassword.as_view(), name="password"),
    path("accounts/mail/<str:token>/", accounts.confirm, name="mail-confirm"),
    path("accounts/reset/", accounts.Reset.as_view(), name="password_reset"),
    path("accounts/reset/sent/", accounts.reset_sent, name="password_reset_done"),
    path("accounts/reset/<uidb64>/<token>/", accounts.NewPassword.as_view(), name="password_reset_confirm"),
]
