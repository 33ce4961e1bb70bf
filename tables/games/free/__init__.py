"""Any other card game: zones, shuffles and agreement, and nothing that is enforced."""
