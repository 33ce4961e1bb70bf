"""T10.6: hours of the night, leave, and what becomes of the seat of somebody who stays away."""
