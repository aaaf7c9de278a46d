"""Does the background work of a process: refreshes, embeddings, heartbeats and notifications."""
