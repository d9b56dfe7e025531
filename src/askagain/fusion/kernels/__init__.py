"""Compiled code of the fused system."""
