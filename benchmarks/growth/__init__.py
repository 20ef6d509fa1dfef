"""How the time of a count grows with the network: contenders, timing, the record, pictures and tables."""
