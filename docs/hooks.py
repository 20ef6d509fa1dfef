"""What mkdocs does to the reference before it writes a page: types and lists read as such, no dash before nothing."""

from __future__ import annotations

import re

_TYPE = re.compile(r"<code>[^<]*`[^<]*</code>")
_DASH_BEFORE_NOTHING = re.compile(r"\s*–\s*(?=</li>|<div class=\"doc-md-description\">\s*</div>)")
_SEE_ALSO = re.compile(r"(?<=<summary>See Also</summary>)\s*<p>(.*?)</p>", re.DOTALL)
_NEXT_NAME = re.compile(r"\n(?=[\w., ]+ : )")


def on_page_content(html: str, **_: object) -> str:
    """Take the backquotes out of code, and the dashes that no description follows; give each name to see its line."""
    html = _DASH_BEFORE_NOTHING.sub("", _TYPE.sub(lambda found: found[0].replace("`", ""), html))
    return _SEE_ALSO.sub(lambda found: _NEXT_NAME.sub("<br>\n", found[0]), html)
