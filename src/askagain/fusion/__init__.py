"""The default system: candidates of several retrievers, one learned order, honest probabilities."""
