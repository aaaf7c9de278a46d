"""Code bases: which files belong to a project, and how they are read safely."""
