"""Measures the answers of lookup tables, and learns the weights of their score."""
