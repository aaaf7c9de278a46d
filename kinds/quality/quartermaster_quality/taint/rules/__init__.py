"""What the pass knows of libraries: sources, results of calls, sinks, classes of weaknesses."""
