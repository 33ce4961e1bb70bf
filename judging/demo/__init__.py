"""The demo round: its fixtures loaded, and its first turns played through the services that the site uses."""
