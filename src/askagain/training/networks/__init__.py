"""The networks in torch, for training; each has a twin in `encoders` that needs numpy alone."""
