"""Pages in a browser: a page at a width and in a colour scheme, texts that overlap or are cut, and screenshots.

A test opens the page, asserts that `text_faults` is empty, and saves a screenshot::

    @pytest.mark.parametrize("scheme", SCHEMES)
    @pytest.mark.parametrize("width", WIDTHS)
    def test_no_text_is_cut(browser, path, width, scheme):
        with open_page(browser, path.as_uri(), width, scheme) as page:
            save_screenshot(page, "report-karate")
            assert text_faults(page) == []
"""

from __future__ import annotations

import os
import shutil
from contextlib import contextmanager
from pathlib import Path

import pytest

WIDTHS = (390, 768, 1280)  # pixels of a telephone, a tablet and a desktop
SCHEMES = ("light", "dark")
HEIGHT = 900

# A text is a convex quadrangle for each line of a text node in HTML, or for each <text> of an SVG, where it may be
# rotated.
# The quadrangles are smaller than the boxes of the font by what letters leave empty above and below.
_TEXTS = """
const root = document.documentElement
const MARGIN = 1.5

function quadrangle(points) {
    const [a, b, c, d] = points  // from the upper left corner, clockwise
    const width = Math.hypot(b.x - a.x, b.y - a.y), height = Math.hypot(d.x - a.x, d.y - a.y)
    const across = Math.min(1, width / 8) / (width || 1), down = 0.22
    const at = (s, t) => ({
        x: a.x + s * (b.x - a.x) + t * (d.x - a.x), y: a.y + s * (b.y - a.y) + t * (d.y - a.y),
    })
    return [at(across, down), at(1 - across, down), at(1 - across, 1 - down), at(across, 1 - down)]
}

function box(points) {
    const xs = points.map(point => point.x), ys = points.map(point => point.y)
    return {left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys)}
}

// Styles and box of an element. Texts share ancestors, and the browser takes long to answer.
const known = new Map()
function look(element) {
    if (!known.has(element)) {
        const {overflow, overflowX, overflowY, clip, clipPath, display, position} = getComputedStyle(element)
        const limits = element.getBoundingClientRect()
        known.set(element, {overflow, overflowX, overflowY, clip, clipPath, display, position, limits})
    }
    return known.get(element)
}

const clipped = new Map()
function isClipped(element) {
    if (!element) return false
    if (!clipped.has(element)) {
        const {overflow, clip, clipPath, limits} = look(element)
        // Texts for screen readers alone are in a box of a pixel, or clipped away.
        const isPixel = overflow !== 'visible' && limits.width <= 1 && limits.height <= 1
        const isAway = clip.startsWith('rect(0') || clipPath === 'inset(50%)'
        clipped.set(element, isPixel || isAway || isClipped(element.parentElement))
    }
    return clipped.get(element)
}

function isShown(element) {
    const properties = {opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true}
    return element.checkVisibility(properties) && !isClipped(element)
}

function texts() {
    const found = []
    const add = (element, node, words, points) => {
        const limits = box(points)
        const isEmpty = limits.right - limits.left < 0.5 || limits.bottom - limits.top < 0.5
        // Menus that are closed wait beyond the upper or left edge, which nobody can scroll to.
        const isBeyond = limits.right + scrollX <= 0 || limits.bottom + scrollY <= 0
        if (!isEmpty && !isBeyond) found.push({element, node, words, points: quadrangle(points)})
    }
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) {
        const node = walker.currentNode, element = node.parentElement, words = node.data.trim()
        const outer = element.closest('svg, foreignObject')
        if (!words || (outer && outer.localName === 'svg') || !isShown(element)) continue
        const range = document.createRange()
        range.selectNodeContents(node)
        for (const {left, right, top, bottom} of range.getClientRects())
            add(element, node, words, [
                {x: left, y: top}, {x: right, y: top}, {x: right, y: bottom}, {x: left, y: bottom},
            ])
    }
    for (const element of document.querySelectorAll('svg text')) {
        const words = element.textContent.trim()
        if (!words || !isShown(element)) continue
        const {x, y, width, height} = element.getBBox(), matrix = element.getScreenCTM()
        const corners = [[x, y], [x + width, y], [x + width, y + height], [x, y + height]]
        add(element, element, words, corners.map(([x, y]) => new DOMPoint(x, y).matrixTransform(matrix)))
    }
    return found
}

// The ancestor that cuts a text, or an empty string; a text that a reader can scroll to is not cut.
function cutBy({element, points}) {
    const text = box(points)
    let scrollsAcross = false, scrollsDown = false
    for (let ancestor = element; ancestor && ancestor !== document.body; ancestor = ancestor.parentElement) {
        if (ancestor instanceof SVGElement && ancestor.localName !== 'svg') continue
        const style = look(ancestor), limits = style.limits
        if (style.display === 'inline' && ancestor.localName !== 'svg') continue
        const clips = overflow => overflow === 'hidden' || overflow === 'clip'
        const isWide = text.left < limits.left - MARGIN || text.right > limits.right + MARGIN
        const isHigh = text.top < limits.top - MARGIN || text.bottom > limits.bottom + MARGIN
        if ((clips(style.overflowX) && isWide && !scrollsAcross) || (clips(style.overflowY) && isHigh && !scrollsDown))
            return ancestor.localName + (ancestor.classList.length ? '.' + [...ancestor.classList].join('.') : '')
        scrollsAcross ||= style.overflowX === 'auto' || style.overflowX === 'scroll'
        scrollsDown ||= style.overflowY === 'auto' || style.overflowY === 'scroll'
        if (style.position === 'fixed') return ''
    }
    const isOutside = text.left + scrollX < -MARGIN || text.right + scrollX > root.clientWidth + MARGIN
    return isOutside && !scrollsAcross ? 'the edge of the page' : ''
}

// The part of a text's box that its scrolling ancestors show, or null.
function visiblePart({element, points}) {
    const part = box(points)
    for (let ancestor = element; ancestor && ancestor !== document.body; ancestor = ancestor.parentElement) {
        const style = look(ancestor), limits = style.limits
        if (style.overflowX !== 'visible' && style.display !== 'inline') {
            part.left = Math.max(part.left, limits.left)
            part.right = Math.min(part.right, limits.right)
        }
        if (style.overflowY !== 'visible' && style.display !== 'inline') {
            part.top = Math.max(part.top, limits.top)
            part.bottom = Math.min(part.bottom, limits.bottom)
        }
    }
    return part.right > part.left && part.bottom > part.top ? part : null
}

// Two convex polygons overlap unless the normal of an edge separates them.
function overlap(one, other) {
    for (const polygon of [one, other])
        for (let i = 0; i < polygon.length; i++) {
            const a = polygon[i], b = polygon[(i + 1) % polygon.length]
            const shadow = points => points.map(point => point.x * (b.y - a.y) - point.y * (b.x - a.x))
            const first = shadow(one), second = shadow(other)
            if (Math.max(...first) <= Math.min(...second) || Math.max(...second) <= Math.min(...first)) return false
        }
    return true
}
"""

_FAULTS = (
    """() => {
"""
    + _TEXTS
    + """
    const all = texts(), faults = new Set()
    const short = words => JSON.stringify(words.length > 60 ? words.slice(0, 57) + '...' : words)
    for (const text of all) {
        const ancestor = cutBy(text)
        if (ancestor) faults.add(`${short(text.words)} is cut by ${ancestor}`)
    }
    const seen = all.map(text => ({...text, part: visiblePart(text)})).filter(text => text.part)
    seen.sort((one, other) => one.part.top - other.part.top)
    for (let i = 0; i < seen.length; i++)
        for (let j = i + 1; j < seen.length && seen[j].part.top < seen[i].part.bottom; j++) {
            const one = seen[i].part, other = seen[j].part
            if (seen[i].node === seen[j].node) continue  // an ellipsis is a part of its text
            if (one.left < other.right && other.left < one.right && overlap(seen[i].points, seen[j].points))
                faults.add(`${short(seen[i].words)} overlaps ${short(seen[j].words)}`)
        }
    return [...faults]
}"""
)


_BROKEN = r"""() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), broken = new Set()
    while (walker.nextNode()) {
        const node = walker.currentNode, element = node.parentElement
        if (element.closest('code, style, script, svg') || !element.checkVisibility()) continue
        for (const word of node.data.matchAll(/[\p{L}\p{N}]{2,20}/gu)) {
            const range = document.createRange(), before = node.data[word.index - 1], end = word.index + word[0].length
            if (/[\p{L}\p{N}]/u.test((before || '') + (node.data[end] || ''))) continue  // a part of a longer word
            range.setStart(node, word.index)
            range.setEnd(node, end)
            if (new Set([...range.getClientRects()].map(rect => Math.round(rect.top))).size > 1) broken.add(word[0])
        }
    }
    return [...broken]
}"""
# Backgrounds are plain colours on our pages; a text in front of another element of an SVG is not looked at.
_FAINT = """() => {
    const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true})
    const known = new Map()
    const rgba = colour => {
        if (!known.has(colour)) {
            canvas.clearRect(0, 0, 1, 1)
            canvas.fillStyle = colour
            canvas.fillRect(0, 0, 1, 1)
            known.set(colour, [...canvas.getImageData(0, 0, 1, 1).data])
        }
        return known.get(colour)
    }
    const luminance = ([r, g, b]) => {
        const [x, y, z] = [r, g, b].map(v => v / 255).map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
        return 0.2126 * x + 0.7152 * y + 0.0722 * z
    }
    const background = element => {
        for (let ancestor = element; ancestor; ancestor = ancestor.parentElement) {
            const colour = rgba(getComputedStyle(ancestor).backgroundColor)
            if (colour[3] === 255) return colour
        }
        return [255, 255, 255]
    }
    const faults = new Set()
    for (const element of document.body.querySelectorAll('*')) {
        const isText = element.localName === 'text'
        const words = [...element.childNodes].filter(node => node.nodeType === 3 && node.data.trim())
        if (!words.length || !element.checkVisibility() || (element instanceof SVGElement && !isText)) continue
        const style = getComputedStyle(element), colour = isText ? style.fill : style.color
        const [light, dark] = [luminance(rgba(colour)), luminance(background(element))].sort((a, b) => b - a)
        const contrast = (light + 0.05) / (dark + 0.05), size = parseFloat(style.fontSize)
        if (contrast < (size >= 24 || (size >= 18.66 && style.fontWeight >= 700) ? 3 : 4.5))
            faults.add(`${JSON.stringify(words[0].data.trim().slice(0, 60))} has a contrast of ${contrast.toFixed(1)}`)
    }
    return [...faults]
}"""


def _refuse(reason):
    """Skip the test, or fail it if TRIADIC_REQUIRE lists chromium."""
    required = "chromium" in os.environ.get("TRIADIC_REQUIRE", "").split(",")
    (pytest.fail if required else pytest.skip)(reason)


# A browser for each module: the event loop of playwright must not run while other modules are tested.
@pytest.fixture(scope="module")
def browser():
    """Yield the chromium of the system; without it, the test is skipped unless TRIADIC_REQUIRE lists chromium."""
    program = shutil.which("chromium")
    if program is None:
        _refuse("there is no chromium")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        _refuse("playwright is not installed")
    with sync_playwright() as playwright:
        # Chromium has no sandbox for root; the pages are our own.
        chromium = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield chromium
        chromium.close()


@contextmanager
def open_page(browser, address, width, scheme="light", *, media="screen"):
    """Open a page and close it in the end.

    Parameters
    ----------
    browser : playwright.sync_api.Browser
    address : str
        Address that begins with ``file:`` or ``http:``.
    width : int
        Width of the window in pixels.
    scheme : {"light", "dark"}
        Colour scheme that the reader prefers.
    media : {"screen", "print"}

    Yields
    ------
    playwright.sync_api.Page
    """
    page = browser.new_page(viewport={"width": width, "height": HEIGHT}, color_scheme=scheme, reduced_motion="reduce")
    try:
        page.emulate_media(media=media, color_scheme=scheme)
        page.goto(address, wait_until="load")
        page.evaluate("document.fonts.ready")
        yield page
    finally:
        page.close()


def text_faults(page):
    """Return a sentence for each pair of texts that overlap and for each text that is cut.

    A text is cut where an ancestor with ``overflow: hidden``, its SVG, or the edge of the page hides a part of it that
    no scrolling brings into sight. Texts that are not shown, or shown to screen readers alone, are ignored.
    """
    return page.evaluate(_FAULTS)


def broken_words(page):
    """Return the words of up to 20 letters that do not fit their line, so that they are on two."""
    return page.evaluate(_BROKEN)


def faint_texts(page):
    """Return a sentence for each text whose contrast with its background is below what WCAG asks for at level AA."""
    return page.evaluate(_FAINT)


def save_screenshot(page, name, *, height=None):
    """Save an image of a page as ``NAME-WIDTH-SCHEME.png`` in the folder that TRIADIC_SCREENSHOTS names.

    Without that variable nothing is saved.

    Parameters
    ----------
    page : playwright.sync_api.Page
    name : str
        What the page shows, such as "report-karate" or "site-home".
    height : int, optional
        Height of the image if the page is longer: images of very long pages take seconds. Default: the whole page.
    """
    folder = os.environ.get("TRIADIC_SCREENSHOTS")
    if not folder:
        return
    from playwright.sync_api import Error

    Path(folder).mkdir(parents=True, exist_ok=True)
    scheme = "dark" if page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches") else "light"
    width, whole = page.viewport_size["width"], page.evaluate("document.documentElement.scrollHeight")
    clip = {"x": 0, "y": 0, "width": width, "height": min(whole, height or whole)}
    path = Path(folder) / f"{name}-{width}-{scheme}.png"
    try:
        page.screenshot(path=path, full_page=True, clip=clip)
    except Error:
        page.screenshot(path=path, full_page=True, clip=clip)  # chromium sometimes fails while the machine is busy
