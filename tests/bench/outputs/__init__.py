"""What users see, as files: `python -m tests.bench.outputs DIR`; see `__main__`."""
