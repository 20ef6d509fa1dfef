"""Tiles at a URL that change while they are read, are cut short, or answer 503: the right number or an error."""

from __future__ import annotations

import shutil
import threading
import warnings
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import numpy as np


class Faulty(SimpleHTTPRequestHandler):
    """A server of files that fails now and then."""

    protocol_version = "HTTP/1.1"
    rng = np.random.default_rng(0)
    rate = 0.0
    lock = threading.Lock()

    def do_GET(self):
        with self.lock:
            fault = int(self.rng.integers(1, 4)) if self.rng.random() < self.rate else 0
        if fault == 1:
            self.send_error(503)
        elif fault == 2:
            self.cut_short()
        elif fault == 3:
            self.close_connection = True
            self.connection.close()
        else:
            super().do_GET()

    def cut_short(self):
        """Announce the whole file and send half of it."""
        try:
            with open(self.translate_path(self.path), "rb") as file:
                content = file.read()
        except OSError:
            self.send_error(404)
            return
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content[: len(content) // 2])
        self.close_connection = True

    def log_message(self, *_):
        pass

    def handle_one_request(self):
        try:
            super().handle_one_request()
        except (OSError, ValueError):
            self.close_connection = True


def run(count, seed, folder, tally):
    """Count `count` times in tiles at a faulty URL."""
    import triadic
    from triadic.errors import TriadicError

    warnings.simplefilter("ignore")
    rng = np.random.default_rng(seed)
    networks = []
    for number in range(2):
        arcs = rng.zipf(1.6, (400 + 100 * number, 2)) % 70
        (folder / f"network{number}.txt").write_text("".join(f"{u} {v}\n" for u, v in arcs.tolist()))
        shutil.rmtree(folder / f"tiles{number}", ignore_errors=True)
        triadic.tile(
            folder / f"network{number}.txt", folder / f"tiles{number}", directed=False, ranges=3, num_vertices=70
        )
        networks.append(triadic.triangles(triadic.TiledGraph(folder / f"tiles{number}")).tolist())
    served = folder / "served"
    shutil.rmtree(served, ignore_errors=True)
    served.mkdir()
    Faulty.rng = np.random.default_rng(seed)
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Faulty, directory=str(served)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    place = f"http://127.0.0.1:{server.server_address[1]}/now.tiles"
    for number in range(count):
        which = int(rng.integers(2))
        shutil.rmtree(served / "now.tiles", ignore_errors=True)
        shutil.copytree(folder / f"tiles{which}", served / "now.tiles", ignore=shutil.ignore_patterns("results"))
        Faulty.rate = float(rng.choice([0.0, 0.05, 0.3]))
        results = folder / f"results{rng.integers(3)}"
        changes = rng.random() < 0.3
        try:
            graph = triadic.TiledGraph(place, results=results)
            if changes:  # other tiles of the same names, after the header was read
                which = 1 - which
                for path in (folder / f"tiles{which}").iterdir():
                    if path.is_file():
                        shutil.copy(path, served / "now.tiles" / path.name)
            found = triadic.triangles(graph).tolist()
        except TriadicError:
            tally.add("refused")
            continue
        except BaseException as error:
            tally.fail(repr(error), case=f"count {number} of seed {seed}")
            continue
        allowed = networks if changes else [networks[which]]
        if found in allowed:
            tally.add("right")
        else:
            tally.fail("another number", case=f"count {number} of seed {seed}")
    server.shutdown()
