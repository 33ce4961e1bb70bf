"""The addresses of everybody's own account, and of the administrators' pages about people."""

from django.urls import path

from judging.people import account_pages, api, own_pages, pages

urlpatterns = [
    path("language/", account_pages.language, name="language"),
    path("accounts/", account_pages.account, name="account"),
    path("accounts/sign-up/", account_pages.sign_up, name="sign-up"),
    path("accounts/mail/<str:token>/", account_pages.confirm, name="mail-confirm"),
    path("accounts/tokens/", account_pages.tokens, name="tokens"),
    path("accounts/tokens/<str:prefix>/revoke/", account_pages.token_revoke, name="token-revoke"),
    path("accounts/reset/", account_pages.Reset.as_view(), name="password_reset"),
    path("accounts/reset/sent/", account_pages.reset_sent, name="password_reset_done"),
    path("accounts/reset/<uidb64>/<token>/", account_pages.NewPassword.as_view(), name="password_reset_confirm"),
    path("accounts/data/", own_pages.own_file, name="account-data"),
    path("accounts/access/", own_pages.access, name="account-access"),
    path("accounts/delete/", own_pages.delete, name="account-delete"),
    path("administration/people/", pages.people, name="people"),
    path("administration/people/log/", pages.log, name="people-log"),
    path("administration/people/heads/", pages.heads, name="people-heads"),
    path("administration/invitations/", pages.invitations, name="sign-up-links"),
    path("administration/people/<int:person>/", pages.person, name="person"),
]


api_urlpatterns = [
    path("administration/heads/", api.Heads.as_view(), name="api-heads"),
    path("administration/people/<int:person>/", api.Person.as_view(), name="api-person"),
]
