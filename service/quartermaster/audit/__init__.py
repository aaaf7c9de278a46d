"""Signs the newest record of the audit chain, and verifies signatures and exported records."""
