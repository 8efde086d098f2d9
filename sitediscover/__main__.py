"""`python -m sitediscover`."""

from sitediscover.cli import main

main()
