"""How many poisoned definitions the scan finds, and how many benign ones it suspects."""
