"""What the service answers, one file for each subject."""
