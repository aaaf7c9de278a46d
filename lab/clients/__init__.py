"""Real clients beside a stand-in for the model: what they offer it, and what they find for it."""
