"""The tables of Reza, Ripeanu and Asawat's poster. CPU and GPU (Kepler) are the authors' programs."""

from __future__ import annotations

DATA_SETS = (
    ("LiveJournal", "4.8M", "69M"),
    ("web-BerkStan", "0.69M", "13M"),
    ("RMAT20", "1M", "16M"),
    ("RMAT21", "2M", "32M"),
    ("RMAT22", "4M", "64M"),
    ("RMAT23", "8M", "128M"),
    ("RMAT24", "16M", "256M"),
    ("RMAT25", "32M", "512M"),
    ("RMAT26", "64M", "1B"),
    ("RMAT27", "128M", "2B"),
    ("RMAT28", "256M", "4B"),
)
GRAPHS = ("LiveJournal", "web-BerkStan")
# Seconds; the other rows are works that the poster cites.
TIMES = (
    ("CPU", 9.94, 28.70),
    ("GPU (Kepler)", 4.0, 17.0),
    ("Latapy 2008 [2]", 32.98, None),
    ("Suri and Vassilvitskii 2011 [4]", 102.0, 319.8),
    ("Chu and Cheng 2012 [5]", 29.43, None),
    ("Park and Chung 2013 [9]", 217.8, 78.6),
    ("Cohen 2009 [10]", 282.0, 121.8),
)
# Largest degree, standard deviation of degrees, seconds.
SPREAD = (("LiveJournal", "real-world", 20293, 65.08, 9.94, 4.0), ("RMAT20", "RMAT", 146092, 355.75, 35.17, 88.5))
METRICS = (
    "achieved occupancy",
    "warp execution efficiency, %",
    "stall: execution dependency, %",
    "global load efficiency, %",
    "global store efficiency, %",
)
PROFILES = (("LiveJournal", 0.5, 34.80, 32.77, 14.28, 71.28), ("RMAT20", 0.1, 7.03, 88.19, 13.30, 35.51))
