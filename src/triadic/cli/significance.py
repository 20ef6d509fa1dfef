"""``triadic significance``: the counts of a network in a file, compared with those of random networks."""

import re
from collections.abc import Sequence
from math import isnan, nan
from pathlib import Path
from typing import TYPE_CHECKING, Any

from triadic.cli.commands import argument, completing, flag, option, output_file
from triadic.cli.options import NETWORK, NULLS, OR_MANY_GRAPHS, STATISTICS, Estimating, Kept, Tiling, Typed
from triadic.cli.printing import Figures, Result, drawable, print_note, print_table, print_text
from triadic.cli.runner import CountingByName
from triadic.errors import ArgumentError

if TYPE_CHECKING:
    from triadic.cli.printing import Row
    from triadic.measures.significance.result import Diagnosis
    from triadic.measures.significance.result import Significance as Comparison

_SEPARATOR = re.compile(r",(?![^\[(]*[\])])")  # no comma in the brackets of a pattern
_PRESERVED = {
    "degrees": "the same degrees",
    "mutual": "the same in, out and mutual degrees",
    "gnm": "the same numbers of vertices and edges",
    "configuration": "the same degrees, loops and repeats erased",
    "types": "the same edges, and as many vertices of each type",
}
# Options that many graphs do not take.
_OF_ONE_NETWORK = ("by", "types", "keep_weights", "tolerance", "effective", "diagnose")


def _several_statistics(incomplete: str) -> list[str]:
    """Return words of --of, of which several may stand side by side with commas between."""
    before, comma, last = incomplete.rpartition(",")
    return [f"{before}{comma}{name}" for name in completing(STATISTICS)(last)]


class Significance(CountingByName, Kept, Typed, without=[Tiling, Estimating, "by_vertex"]):
    """Compare the counts of a network with the counts of random networks that have the same degrees.

    Clustering and graphlets ignore the directions of a directed network.
    """

    examples = (
        "triadic significance followers.txt --seed 1",
        "triadic significance friends.txt --of clustering --samples 1000 -o table.csv",
        "triadic significance neurons.csv --groups types.csv --positions soma.csv --bins 20 --diagnose",
        'triadic significance tissue.csv --of "A - B; B - C; C - A" --by type --types type --attributes cells.csv',
    )
    suffixes = (".csv", ".parquet")
    counts_arcs = True
    printed_suffix = " z"

    file: str = argument("FILE", NETWORK + OR_MANY_GRAPHS)
    of: str | None = option(
        "WHAT",
        "Counts to compare: triads, clustering, graphlets, intensity (of triads, with --weights), any other that "
        "`triadic count` names, or several separated by commas. Default: triads of a directed network, and "
        "clustering,graphlets of an undirected one.",
        words=_several_statistics,
    )
    by: str | None = option("type", "Compare patterns, or triads, for each combination of the types of their vertices.")
    size: int | None = option("3|4|5", "Number of vertices of the largest graphlets. Default: 4.")
    null: str | None = option(
        "NAME",
        "What the random networks have in common with FILE: degrees; mutual (in, out and mutual degrees); gnm "
        "(numbers of vertices and edges); configuration (degrees, then loops and repeats are erased); types (all "
        "edges; --types are permuted, within --groups). Default: mutual for triads if directed, otherwise degrees.",
        words=NULLS,
    )
    samples: int = option("N", "Number of random networks.", default=100)
    steps: int | None = option("N", "Edge switches tried for each random network. Default: 10 per edge.")
    seed: int | None = option("N", "Seed of the random networks; the same seed gives the same figures.")
    output: str | None = output_file(
        "Write the table to FILE: .csv or .parquet. Of many graphs, write a row for each graph.",
    )
    keep_weights: str | None = option(
        "NAME",
        "How random networks get the weights, for --of intensity: keep (weights stay at their edges), shuffle or "
        "strength (shuffled so that vertices nearly keep their strengths). Default: keep.",
    )
    tolerance: float | None = option(
        "X",
        "With --keep-weights strength: largest sum of all deviations from the strengths, as a share of the sum of all "
        "strengths. Default: 0.05.",
    )
    effective: float | None = option(
        "X",
        "Choose the steps by a trial walk, so that each walk is X times as long as the slowest autocorrelation time.",
    )
    diagnose: bool = flag("Follow one walk and tell whether the walks are long enough.")

    def check(self, *, many: bool) -> None:
        """Raise an ArgumentError if options do not go together."""
        from triadic.measures.significance import significance  # noqa: F401 - compiled code
        from triadic.null_models.model import NULLS
        from triadic.null_models.weights import WEIGHTS

        self.countables()
        if self.null is not None and self.null not in NULLS:
            raise ArgumentError(f"--null {self.null}: expected {', '.join(NULLS)}")
        if self.samples < 2:
            raise ArgumentError(f"--samples {self.samples}: expected at least 2, to have a standard deviation")
        self.bins_keyword()
        if self.bins is not None and self.positions is None:
            raise ArgumentError(f"--bins {self.bins}: bins of length need --positions, the coordinates of the vertices")
        if self.keep_weights is not None and self.keep_weights not in WEIGHTS:
            raise ArgumentError(f"--keep-weights {self.keep_weights}: expected {', '.join(WEIGHTS)}")
        if self.tolerance is not None and self.keep_weights != "strength":
            raise ArgumentError(f"--tolerance {self.tolerance}: only --keep-weights strength has a tolerance")
        if self.by not in (None, "type"):
            raise ArgumentError(f"--by {self.by}: expected type")
        given = self.given("groups", "positions", "bins", "attributes", *_OF_ONE_NETWORK)
        if many and given:
            raise ArgumentError(f"{' '.join(given)}: for one network; {Path(self.file).name} has many graphs")

    def names(self) -> str | list[str]:
        """Return the names of what is compared, of the default the graphlets."""
        return "graphlets" if self.of is None else _SEPARATOR.split(self.of)

    def counts_directions(self, *, directed: bool) -> bool:
        """Return whether the figures depend on directions."""
        return directed if self.of is None else super().counts_directions(directed=directed)

    def measure(self, graph: Any) -> Figures:  # noqa: ANN401 - a `Graph`
        """Return the figures of a network."""
        from triadic.measures.significance.result import text_of

        options = {name: getattr(self, name) for name in _OF_ONE_NETWORK}
        graph = self.with_attributes(graph)
        found = self._compared(graph, self.seed, **self.null_keywords(graph), **options)
        comparisons = found.to_dict()
        record = {
            **{
                group: {text_of(name): comparisons[text_of(name)] for name in names}
                for group, names in found.groups.items()
            },
            "profile": {text_of(name): value for name, value in found.profile.items()},
            "null": found.null,
            "kept": found.kept or None,
            "diagnosis": None if found.diagnosis is None else _diagnosis_record(found.diagnosis),
            "samples": len(found.samples),
            "steps": found.steps,
            "seed": found.seed,
            "resolution": found.resolution,
        }
        return Figures(record, detail=found)

    def measure_many(self, batch: Any) -> Figures:  # noqa: ANN401 - a `GraphBatch`
        """Compare each graph with random graphs of its own; the printed table holds z, and a file all figures."""
        from triadic.core.checked import check_seed

        seed = check_seed(self.seed)
        given = {"null": self.null, "samples": self.samples, "steps": self.steps, "seed": seed}
        settings = {name: value for name, value in given.items() if value is not None}
        return Figures(self._compared(batch, seed), settings=settings)

    def _compared(self, graph: Any, seed: int | None, **of_null: Any) -> Any:  # noqa: ANN401 - keywords of the measure
        from triadic.measures.significance.significance import significance

        of = None if self.of is None else self.names()
        asked: dict[str, Any] = {name: getattr(self, name) for name in ("size", "null", "samples", "steps")}
        return significance(graph, of=of, **asked, seed=seed, **of_null, **self.keywords)

    def write(self, path: Path, result: Result) -> None:
        """Write the table."""
        from triadic.io.tables import write_rows

        write_rows(path, result.figures.detail.to_arrow().to_pydict(), self.csv)

    def rows(self, result: Result) -> "list[Row]":
        """Return the printed rows of the figures."""
        figures = result.figures.detail
        walked, moved = figures.steps is not None, "types" if figures.null == "types" else "edges"
        steps = [("steps", f"{figures.steps:,}", "of edge switching per random network")] if walked else []
        return [
            ("samples", f"{len(figures.samples):,}", f"random networks with {_PRESERVED[figures.null]}"),
            *([("kept", figures.kept, f"the same numbers of {moved} in each")] if figures.kept else []),
            *steps,
            ("seed", str(figures.seed), ""),
            *([] if figures.diagnosis is None else [_diagnosis_row(figures.diagnosis)]),
        ]

    def print_tables(self, result: Result) -> None:
        """Print each count with the mean, standard deviation, z, p and profile that random networks give it.

        Without directions, the types of triads with asymmetric pairs are left out.
        """
        from triadic.core.triad_types import ASYMMETRIC

        figures, directed = result.figures.detail, result.graph.directed
        print_text("")
        print_comparison(figures, without=() if directed else [name for name in ASYMMETRIC if ASYMMETRIC[name]])
        least = f"with {len(figures.samples):,} samples it is at least {figures.resolution:.3g}"
        each = " in each group of counts" if len(figures.groups) > 1 else ""
        print_note(
            f"z: standard deviations above the mean. p: two-sided; {least}.\nq: p as a false discovery rate among all "
            f"rows. Profile: z scaled to length 1{each}."
        )


def _diagnosis_record(diagnosis: "Diagnosis") -> dict[str, Any]:
    """Return the figures of a diagnosis as plain numbers for JSON."""
    (_, names), *columns = diagnosis.to_dict().items()
    of_count = {name: {figure: values[i] for figure, values in columns} for i, name in enumerate(names)}
    return {
        "mixed": diagnosis.mixed,
        "reasons": list(diagnosis.reasons),
        "accepted": diagnosis.accepted,
        "in_place": diagnosis.in_place_after,
        "counts": of_count,
    }


def print_comparison(figures: "Comparison", *, without: Sequence[str] = ()) -> None:
    """Print a row for each count of a comparison, without some names."""
    rows = [[name, *map(drawable, cells)] for name, *cells in figures.cells() if name not in without]
    print_table(figures.headings, rows)


def _diagnosis_row(diagnosis: "Diagnosis") -> tuple[str, str, str]:
    """Return a row about the length of the walks: the slowest count and its effective size."""
    least = min((size for size in diagnosis.effective.tolist() if not isnan(size)), default=nan)
    mixed = "mixed" if diagnosis.mixed else "not mixed"
    accepted = f"{diagnosis.accepted:.0%} of the steps accepted"
    return "walks", mixed, f"effective size {least:.3g}, {accepted}" if not isnan(least) else accepted
