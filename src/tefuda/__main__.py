"""``python -m tefuda``."""

from tefuda.cli.app import main

main()
