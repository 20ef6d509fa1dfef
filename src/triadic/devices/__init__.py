"""The kinds of device that counts run on. A device knows no measure."""
