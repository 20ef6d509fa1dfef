"""What mkdocs does to the reference before it writes a page: types read as text, and no dash before nothing."""

from __future__ import annotations

import re

_TYPE = re.compile(r"<code>[^<]*`[^<]*</code>")
_DASH_BEFORE_NOTHING = re.compile(r"\s*–\s*(?=</li>)")


def on_page_content(html: str, **_: object) -> str:
    """Take the backquotes out of code, and the dashes that no description follows."""
    return _DASH_BEFORE_NOTHING.sub("", _TYPE.sub(lambda found: found[0].replace("`", ""), html))
