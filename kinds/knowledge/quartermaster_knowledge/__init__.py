"""Knowledge: the documentation of installed packages, and the notes of experts."""
