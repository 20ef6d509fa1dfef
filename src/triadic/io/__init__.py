"""Reading and writing graphs: one module a format, found by :mod:`triadic.io.detect`.

======================  =======================================================  ========  =======
``format=``             what                                                     suffixes  written
======================  =======================================================  ========  =======
``text``                SNAP, KONECT and other edge lists                        .txt ...  yes
``csv``, ``tsv``        the same, with commas or tabs first                      .csv      yes
``parquet``             columns ``source``, ``target``, ``weight``               .parquet  yes
``matrix-market``       Matrix Market                                            .mtx      yes
``pajek``               Pajek networks and projects                              .net      no
``metis``               METIS adjacency lists                                    .graph    no
``gml``                 GML                                                      .gml      no
``gap``                 GAP Benchmark Suite's serialized graphs                  .sg       no
``triadic``             triadic's own: a folder, mapped into memory              .triadic  yes
======================  =======================================================  ========  =======

``.gz`` and ``.zst`` may follow any suffix but the last.
"""

from __future__ import annotations

from triadic.io.detect import FORMATS, WRITTEN
from triadic.io.file_source import ReadWarning
from triadic.io.reading import read, read_arcs
from triadic.io.writing import write

__all__ = ["FORMATS", "WRITTEN", "ReadWarning", "read", "read_arcs", "write"]
