# SPDX-License-Identifier: Apache-2.0
"""A run as an SVG drawing: time runs to the right, every opcode has a row, every record a bar, hazards are marked."""
from __future__ import annotations

from typing import TYPE_CHECKING, Container, Dict, List, Optional, Tuple
from xml.sax.saxutils import escape

if TYPE_CHECKING:
    from .runs import Run, Step

WIDTH, LEFT, RIGHT, TOP, ROW, BAR = 960, 220, 24, 62, 30, 18
_COLOURS = ("#3b6ea5", "#5b9279", "#b8763e", "#8a5a83", "#4f8f9b", "#a3524f", "#7a7f3a", "#5d6b7a")
_MOST = 4000                     # bars; more would be narrower than anyone sees


def _ticks(cycles: int) -> List[int]:
    """Round numbers from 0 on, at most nine."""
    step = next(digit * 10 ** power for power in range(20) for digit in (1, 2, 5) if cycles < 9 * digit * 10 ** power)
    return list(range(0, cycles + 1, step))


def _bars(steps: Tuple["Step", ...], marked: Container[Optional[int]]) -> List[Tuple["Step", int, int]]:
    """Each step with its start and end in cycles; where there are too many, neighbours of one opcode become one, but
    for those with a mark."""
    out: List[Tuple["Step", int, int]] = []
    at = 0
    for step in steps:
        if len(steps) > _MOST and out and out[-1][0].name == step.name and step.record not in marked:
            out[-1] = (out[-1][0], out[-1][1], at + step.cycles)
        else:
            out.append((step, at, at + step.cycles))
        at += step.cycles
    return out


def _text(x: float, y: float, text: str, size: int = 12, anchor: str = "start", colour: str = "#222") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" fill="{colour}">{escape(text)}</text>'


def svg(run: "Run") -> str:
    """The drawing as text. Widths are estimated cycles."""
    steps = run.steps
    names = list(dict.fromkeys(step.name for step in steps))
    row: Dict[str, int] = {name: i for i, name in enumerate(names)}
    cycles = max(run.cycles, 1)
    scale = (WIDTH - LEFT - RIGHT) / cycles
    bottom = TOP + ROW * max(len(names), 1)
    height = bottom + 58
    hazards: Dict[Optional[int], List[str]] = {}
    for hazard in run.hazards:
        hazards.setdefault(hazard.record, []).append(hazard.text)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}" '
           f'font-family="sans-serif">', f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>',
           _text(16, 24, f"{len(steps)} records on {run.gen}", 16),
           _text(16, 44, f"{run.cycles} cycles, {run.ns / 1000:.3f} us at {run.clock_mhz} MHz (estimate); "
                 f"{len(run.hazards)} hazard{'' if len(run.hazards) == 1 else 's'}", 12, colour="#555")]
    for tick in _ticks(cycles):
        x = LEFT + tick * scale
        out.append(f'<line x1="{x:.1f}" y1="{TOP}" x2="{x:.1f}" y2="{bottom}" stroke="#ddd"/>')
        out.append(_text(x, bottom + 18, str(tick), 11, "middle", "#555"))
    out.append(_text((LEFT + WIDTH - RIGHT) / 2, bottom + 40, "cycles of the engine", 12, "middle", "#555"))
    for name in names:
        out.append(_text(LEFT - 12, TOP + row[name] * ROW + ROW / 2 + 4, name, 12, "end"))
    for step, begin, end in _bars(steps, hazards):
        x, y = LEFT + begin * scale, TOP + row[step.name] * ROW + (ROW - BAR) / 2
        width = max((end - begin) * scale - 0.5, 0.7)
        title = f"record {step.record} {step.name}: {step.elements} elements, {step.cycles} cycles"
        title += "".join("\n" + text for text in hazards.get(step.record, []))
        colour = "#ccc" if step.skipped else _COLOURS[row[step.name] % len(_COLOURS)]
        out.append(f'<rect x="{x:.2f}" y="{y:.1f}" width="{width:.2f}" height="{BAR}" fill="{colour}">'
                   f'<title>{escape(title)}</title></rect>')
        if step.record in hazards:
            out.append(f'<path d="M{x:.2f} {y - 5:.1f} l4 7 l-8 0 z" fill="#c00"><title>{escape(title)}</title></path>')
    return "\n".join(out) + "\n</svg>\n"
