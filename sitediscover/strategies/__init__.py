"""The ways of finding something to follow."""
