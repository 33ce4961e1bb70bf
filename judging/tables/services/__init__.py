"""What changes a table: each writer holds its row, appends entries to its chain, and changes what follows from them."""
