"""1.3: the URLs of the judges' desk that the stock admin does not have."""

from django.urls import include, path

from judging.armies import urls as armies
from judging.battles import urls as battles
from judging.command import urls as command
from judging.email import urls as letters
from judging.formula_books import urls as books
from judging.import_export import urls as exchange
from judging.mercenaries import urls as mercenaries
from judging.penalties import urls as penalties
from judging.turns import urls as turns

DESK = (battles, mercenaries, turns, books, command, penalties, armies, exchange, letters)

urlpatterns = [path("", include(urls.judge_urlpatterns)) for urls in DESK]
