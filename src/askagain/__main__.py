"""`python -m askagain` is the same as `askagain`."""

from askagain.cli import main

main()
