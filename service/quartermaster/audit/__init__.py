"""The audit chain outside of the database: heads signed, exports and signatures verified."""
