"""Find how a web site can be followed."""
