"""The settings: a strict schema, and a YAML file whose values the environment can override."""
