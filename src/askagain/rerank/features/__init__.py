"""What two questions have in common, measured in many ways: one function per measure, all by name."""
