"""9.3, K6, 10.1: reactions of cards to events: triggers, waiting triggers, and replacements."""
