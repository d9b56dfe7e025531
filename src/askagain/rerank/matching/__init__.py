"""Networks that judge a pair of questions by its aligned words."""
