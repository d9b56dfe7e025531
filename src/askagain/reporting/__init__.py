"""Reports: what a system would have done on the marks of an archive."""
