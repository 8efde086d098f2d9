"""Benchmarks. They print ratios and shares; they never fail a build."""
