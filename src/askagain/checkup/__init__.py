"""Checks of an installation and an archive, for people who wonder what is wrong; they change nothing."""
