"""The JSON of the API: what goes in and what comes out, apart from each other."""
