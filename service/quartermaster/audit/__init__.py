"""The audit chain outside the database: signs heads, verifies exports and signatures."""
