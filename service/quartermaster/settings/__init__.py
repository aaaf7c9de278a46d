"""All settings: one strict schema, and one YAML file that the environment overrides."""
