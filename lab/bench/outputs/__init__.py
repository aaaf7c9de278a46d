"""What users see, as files: `python -m lab.bench.outputs DIR`; see `__main__`."""
