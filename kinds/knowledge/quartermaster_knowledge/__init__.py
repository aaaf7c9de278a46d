"""Knowledge: documentation of installed packages, and notes of experts."""
