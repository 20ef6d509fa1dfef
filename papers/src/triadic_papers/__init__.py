"""The papers' algorithms as printed: a second opinion, and what to measure against; nothing of counts/ or devices/."""
