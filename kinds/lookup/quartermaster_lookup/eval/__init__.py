"""Measures the quality of the answers of lookup tables, and learns the weights of their score."""
