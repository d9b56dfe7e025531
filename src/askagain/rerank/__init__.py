"""Re-ranking: candidates of one ranker, ordered by another."""
