"""Who looks: everybody whom DESIGN's table or a rule tells apart, by the name that `allowed.TABLE` has for him."""

from typing import Any

from django.http import HttpResponseBase
from django.test import Client

from tests.secrecy.scene import Scene

VIEWERS = {
    "anonymous": "somebody without a log-in",
    "outsider": "somebody with a log-in who does not play",
    "author": "a Coalition player who leads nothing: he controls Ana",
    "contingency": "the contingency of the author, who leads nothing either",
    "leader": "the Coalition's General, who can ask for changes of control",
    "enemy": "the Phyrexian player who fights against the author and leads nothing",
    "enemy leader": "the Chief Praetor",
    "movement": "the head movement judge, who plays for Phyrexia (1.3)",
    "battle": "the head battle judge",
    "battle second": "an assistant battle judge, asked to score one battle independently",
    "mercenary": "the head mercenary judge",
    "administrator": "a superuser who neither plays nor judges",
}


def viewers_of(scene: Scene) -> list[str]:
    """Those who are in this world: a round that is set up has no contingencies."""
    return [viewer for viewer in VIEWERS if viewer == "anonymous" or viewer in scene.users]


class Visitor(Client):
    """A browser that asks for pages and keeps nothing of how they were made: the walk is twice as fast.

    An error in a page is an answer like any other, as for a reader.
    """

    def request(self, **request: Any) -> HttpResponseBase:  # type: ignore[override]
        response = self.handler(self._base_environ(**request))
        self.cookies.update(response.cookies)
        return response


def client_of(viewer: str, scene: Scene) -> Visitor:
    """The browser of a viewer, logged in."""
    # A number of its own: those that the service draws, or the times that it took, might have a secret's signs in them.
    language = {"Accept-Language": scene.language} if scene.language else {}
    client = Visitor(headers={"X-Request-ID": "number-of-a-walk", **language})
    if viewer in scene.users:
        client.force_login(scene.users[viewer], backend="django.contrib.auth.backends.ModelBackend")
    return client
