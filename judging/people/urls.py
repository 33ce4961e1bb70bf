from django.urls import path

from judging.people import account_views, api, personal_data_views, views

urlpatterns = [
    path("language/", account_views.language, name="language"),
    path("accounts/", account_views.account, name="account"),
    path("accounts/sign-up/", account_views.sign_up, name="sign-up"),
    path("accounts/mail/<str:token>/", account_views.confirm, name="mail-confirm"),
    path("accounts/tokens/", account_views.tokens, name="tokens"),
    path("accounts/tokens/<str:prefix>/revoke/", account_views.token_revoke, name="token-revoke"),
    path("accounts/reset/", account_views.Reset.as_view(), name="password_reset"),
    path("accounts/reset/sent/", account_views.reset_sent, name="password_reset_done"),
    path("accounts/reset/<uidb64>/<token>/", account_views.NewPassword.as_view(), name="password_reset_confirm"),
    path("accounts/data/", personal_data_views.own_file, name="account-data"),
    path("accounts/access/", personal_data_views.access, name="account-access"),
    path("accounts/delete/", personal_data_views.delete, name="account-delete"),
    path("administration/people/", views.people, name="people"),
    path("administration/people/log/", views.log, name="people-log"),
    path("administration/people/heads/", views.heads, name="people-heads"),
    path("administration/invitations/", views.invitations, name="sign-up-links"),
    path("administration/people/<int:person>/", views.person, name="person"),
]


api_urlpatterns = [
    path("administration/heads/", api.Heads.as_view(), name="api-heads"),
    path("administration/people/<int:person>/", api.Person.as_view(), name="api-person"),
]
