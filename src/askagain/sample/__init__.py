"""A small forum, written for demonstrations, tests and the documentation."""
