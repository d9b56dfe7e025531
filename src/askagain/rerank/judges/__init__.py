"""What judges pairs of questions, each kind in a file: made from arrays, and without what learning needs."""
