"""Code quality: scanners, scores, gates."""
