"""Seize: Guilded Treasures, by the headings of its rules counted in their order, and the rulings S1 to S88."""
