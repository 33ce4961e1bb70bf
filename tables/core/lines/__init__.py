"""T9.1: lines at a table: their forms, how they are read, and how an action is written as one."""
