"""Plots of the benchmark's figures, as SVG by hand: no library is needed to write a page."""

import html
import math

MET, MISSED, GRID, TEXT = "#0072b2", "#d55e00", "#dddddd", "#222222"
FONT = 'font-family="sans-serif" font-size="12"'


class Drawing:
    """SVG elements on a white ground, which dark pages need too."""

    def __init__(self, width, height, title):
        self.parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
            f'width="{width}" height="{height}" role="img">',
            f"<title>{html.escape(title)}</title>",
            f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
        ]

    def line(self, x1, y1, x2, y2, colour, width=1.0, dash=""):
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        self.parts.append(
            f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" '
            f'stroke="{colour}" stroke-width="{width}"{dashes}/>'
        )

    def path(self, points, colour, dash=""):
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        steps = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        self.parts.append(
            f'<polyline points="{steps}" fill="none" stroke="{colour}" stroke-width="2"{dashes}/>'
        )

    def dot(self, x, y, colour):
        self.parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{colour}"/>')

    def cross(self, x, y, colour):
        self.line(x - 4, y - 4, x + 4, y + 4, colour, 2.5)
        self.line(x - 4, y + 4, x + 4, y - 4, colour, 2.5)

    def text(self, x, y, text, anchor="start", colour=TEXT, turned=False):
        turn = f' transform="rotate(-90 {x:.1f} {y:.1f})"' if turned else ""
        self.parts.append(
            f'<text x="{x:.1f}" y="{y:.1f}" {FONT} text-anchor="{anchor}" fill="{colour}"{turn}>'
            f"{html.escape(text)}</text>"
        )

    def finish(self):
        return "\n".join([*self.parts, "</svg>", ""])


def times_over_size(title, sizes, series):
    """Times in microseconds over problem sizes, both axes logarithmic. `series` are
    (name, colour, dashes, times), a time for each size; `sizes` are (number, name)."""
    width, height, left, right, top, bottom = 720, 420, 70, 20, 40, 60
    drawing = Drawing(width, height, title)
    times = [time for _, _, _, values in series for time in values]
    # Whole steps of 1, 2, 5.
    steps = [m * 10**e for e in range(-3, 9) for m in (1, 2, 5)]
    low = max(step for step in steps if step <= min(times))
    high = min(step for step in steps if step >= max(times))
    numbers = [math.log(number) for number, _ in sizes]

    def x_of(number):
        share = (math.log(number) - numbers[0]) / (numbers[-1] - numbers[0])
        return left + share * (width - left - right)

    def y_of(time):
        share = (math.log(time) - math.log(low)) / (math.log(high) - math.log(low))
        return height - bottom - share * (height - top - bottom)

    drawing.text(left, 22, title)
    for step in steps:
        if low <= step <= high:
            drawing.line(left, y_of(step), width - right, y_of(step), GRID)
            drawing.text(left - 8, y_of(step) + 4, f"{step:g}", "end")
    for number, name in sizes:
        drawing.line(x_of(number), top, x_of(number), height - bottom, GRID)
        drawing.text(x_of(number), height - bottom + 18, name, "middle")
    drawing.text(left + (width - left - right) / 2, height - 16, "elements", "middle")
    middle = top + (height - top - bottom) / 2
    drawing.text(18, middle, "µs, launch and wait", "middle", turned=True)
    for row, (name, colour, dash, values) in enumerate(series):
        drawing.path([(x_of(s[0]), y_of(t)) for s, t in zip(sizes, values)], colour, dash)
        y = top + 18 + 18 * row
        drawing.line(left + 12, y - 4, left + 42, y - 4, colour, 2, dash)
        drawing.text(left + 50, y, name)
    return drawing.finish()


def shares_of_bounds(title, rows):
    """A mark for each (name, share, text): where a figure lies between nothing and its bound."""
    left, right, top, step, most = 330, 140, 50, 20, 1.5
    width, height = 860, 50 + 20 * len(rows) + 40
    drawing = Drawing(width, height, title)

    def x_of(share):
        return left + min(share, most) / most * (width - left - right)

    drawing.text(12, 22, title)
    for share in (0, 0.25, 0.5, 0.75, 1, 1.25, 1.5):
        colour, width_of, name = (TEXT, 1.5, "bound") if share == 1 else (GRID, 1, f"{share:g}")
        drawing.line(x_of(share), top - 8, x_of(share), height - 34, colour, width_of)
        drawing.text(x_of(share), height - 16, name, "middle")
    for number, (name, share, text) in enumerate(rows):
        y = top + step * number + 6
        met = share <= 1
        colour = MET if met else MISSED
        drawing.text(left - 12, y + 4, name, "end", TEXT if met else MISSED)
        drawing.line(x_of(0), y, x_of(share), y, colour)
        (drawing.dot if met else drawing.cross)(x_of(share), y, colour)
        drawing.text(width - right + 10, y + 4, text, colour=colour)
    return drawing.finish()
