"""Training: what turns an archive into a model; needs torch."""
