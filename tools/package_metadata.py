"""Metadata of the package that depends on where it is built: the README with absolute links, and the project's URLs.

The package index shows the README without the repository, so relative links would lead nowhere. The workflow that
publishes the package runs in the repository and names it in the environment (GITHUB_REPOSITORY); elsewhere links stay
relative and the package has no URLs. hatchling calls `get_metadata_hook`, as ``pyproject.toml`` asks it to.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

_LINK = re.compile(r"(?P<before>\]\()(?!https?:|#|mailto:)(?P<path>[^)\s]+)")
_PICTURE = re.compile(r"(?P<before>!\[[^\]]*\]\(|\bsrc(?:set)?=\")(?!https?:)(?P<path>[^)\"\s]+)")


def get_metadata_hook() -> type[Any]:
    """Return the class that hatchling makes its hook from."""
    from hatchling.metadata.plugin.interface import MetadataHookInterface  # noqa: PLC0415 - in the build alone

    class PackageMetadata(MetadataHookInterface):
        """Sets the fields ``readme`` and ``urls``."""

        def update(self, metadata: dict[str, Any]) -> None:
            readme = (Path(self.root) / "README.md").read_text(encoding="utf-8")
            repository = repository_url()
            if repository is not None:
                readme = with_absolute_links(readme, repository, revision())
                metadata["urls"] = project_urls(repository)
            metadata["readme"] = {"content-type": "text/markdown", "text": readme}

    return PackageMetadata


def repository_url() -> str | None:
    """Return the address of the repository in whose workflow the package is built, or None elsewhere."""
    repository = os.environ.get("GITHUB_REPOSITORY")
    return f"{os.environ.get('GITHUB_SERVER_URL', 'https://github.com')}/{repository}" if repository else None


def revision() -> str:
    """Return the tag of a release, and ``main`` for other builds."""
    name = os.environ.get("GITHUB_REF_NAME", "")
    return name if name.startswith("v") else "main"


def project_urls(repository: str) -> dict[str, str]:
    """Return the links that the package index shows beside the README."""
    return {
        "Source": repository,
        "Documentation": f"{repository}/blob/{revision()}/docs/index.md",
        "Changelog": f"{repository}/blob/{revision()}/CHANGELOG.md",
        "Issues": f"{repository}/issues",
    }


def with_absolute_links(readme: str, repository: str, revision: str) -> str:
    """Return the README with links and pictures that lead to a revision of the repository.

    Examples
    --------
    >>> with_absolute_links("[Tutorial](docs/tutorial.md)", "https://example.org/triadic", "v1.0.0")
    '[Tutorial](https://example.org/triadic/blob/v1.0.0/docs/tutorial.md)'
    """
    readme = _PICTURE.sub(rf"\g<before>{repository}/raw/{revision}/\g<path>", readme)
    return _LINK.sub(rf"\g<before>{repository}/blob/{revision}/\g<path>", readme)
