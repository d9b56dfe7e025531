"""Past one machine: the same systems on Ray."""
