"""The lab: what maintainers train, measure and compare. README.md says how."""
