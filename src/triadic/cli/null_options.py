"""Options of commands that draw random networks: what these keep besides degrees, and how their walks are judged."""

from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from triadic.graph.graph import Graph


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptOptions:
    """What random networks keep besides degrees."""

    groups: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE[:COLUMN]",
            help="Table of the groups of the vertices, such as the types of neurons: label, group; of more than two "
            "columns, COLUMN has the groups. Random networks then have as many edges from each group to each group.",
            show_default=False,
        ),
    ] = None
    positions: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Table of the coordinates of the vertices: label, x, y and perhaps z. Random networks then have as "
            "many edges in each bin of length.",
            show_default=False,
        ),
    ] = None
    bins: Annotated[
        str | None,
        typer.Option(
            metavar="N|EDGES",
            help="Bins of length: a number of bins with about equally many edges, or the limits between bins, "
            "separated by commas. Default: 10.",
            show_default=False,
        ),
    ] = None

    def given(self) -> list[str]:
        """Return the options that were given, for an error."""
        return [
            f"--{option.name.replace('_', '-')}"
            for option in fields(self)
            if getattr(self, option.name) not in (None, False)
        ]

    def bins_keyword(self) -> int | list[float] | None:
        """Return the bins as the measures take them.

        Examples
        --------
        >>> KeptOptions(bins="12").bins_keyword(), KeptOptions(bins="0.5,2").bins_keyword()
        (12, [0.5, 2.0])
        """
        from triadic.errors import ArgumentError

        if self.bins is None:
            return None
        try:
            return int(self.bins) if "," not in self.bins else [float(edge) for edge in self.bins.split(",")]
        except ValueError:
            try:
                return [float(self.bins)]
            except ValueError:
                expected = "expected a number of bins, or limits separated by commas"
                raise ArgumentError(f"--bins {self.bins}: {expected}") from None

    def words(self) -> list[str]:
        """Return the options that were given, as words of a command line."""
        given = {"--groups": self.groups, "--positions": self.positions, "--bins": self.bins}
        return [word for option, value in given.items() if value is not None for word in (option, str(value))]

    def keywords(self, graph: "Graph") -> dict[str, Any]:
        """Return the keywords of `triadic.significance`, with the tables read for the vertices of the graph."""
        from triadic.cli.printing import print_remark
        from triadic.io.vertex_columns import read_groups, read_positions

        keywords: dict[str, Any] = {} if self.bins is None else {"bins": self.bins_keyword()}
        for name, path, read in (
            ("groups", self.groups, read_groups),
            ("positions", self.positions, read_positions),
        ):
            if path is not None:
                keywords[name], *said = read(path, graph)
                for words in filter(None, said):
                    print_remark(f"{path.name}: {words}")
        return keywords


@dataclass(frozen=True, slots=True, kw_only=True)
class NullOptions(KeptOptions):
    """What random networks keep besides degrees, and how their walks are judged."""

    null_weights: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="How random networks get the weights, for --of intensity: keep (weights stay at their edges), shuffle "
            "or strength (shuffled so that vertices nearly keep their strengths). Default: keep.",
            show_default=False,
        ),
    ] = None
    tolerance: Annotated[
        float | None,
        typer.Option(
            metavar="X",
            help="With --null-weights strength: largest sum of all deviations from the strengths, as a share of the "
            "sum of all strengths. Default: 0.05.",
            show_default=False,
        ),
    ] = None
    effective: Annotated[
        float | None,
        typer.Option(
            metavar="X",
            help="Choose the steps by a trial walk, so that each walk is X times as long as the slowest "
            "autocorrelation time.",
            show_default=False,
        ),
    ] = None
    diagnose: Annotated[
        bool,
        typer.Option("--diagnose", help="Follow one walk and tell whether the walks are long enough."),
    ] = False

    def check(self) -> None:
        """Raise if an option has another value than expected, before a long read.

        Raises
        ------
        ArgumentError
        """
        from triadic.errors import ArgumentError
        from triadic.null_models.weights import WEIGHTS

        self.bins_keyword()
        if self.bins is not None and self.positions is None:
            raise ArgumentError(f"--bins {self.bins}: bins of length need --positions, the coordinates of the vertices")
        if self.null_weights is not None and self.null_weights not in WEIGHTS:
            raise ArgumentError(f"--null-weights {self.null_weights}: expected {', '.join(WEIGHTS)}")
        if self.tolerance is not None and self.null_weights != "strength":
            raise ArgumentError(f"--tolerance {self.tolerance}: only --null-weights strength has a tolerance")
