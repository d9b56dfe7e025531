"""How judges learn, each kind in a file: from labelled lists to arrays."""
