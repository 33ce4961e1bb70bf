"""T6: a table from its log: opened, dealt, carried on entry by entry, rewound, stored and hashed."""
