"""How a card table looks: from what one viewer knows (`tables.core.views`) to what the templates draw."""
