"""Background work in a process: refreshes, embeddings, heartbeats and notifications."""
