"""Simulated games beside each proposal to ratify rules, by the lab."""
