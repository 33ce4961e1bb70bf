"""T9.1: what people write at a table: the forms of lines, how they are read, and how an action is written as one."""
