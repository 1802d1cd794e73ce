"""Maps: where things lie on paper, checking of map files, and drawing as SVG."""

from counterblow.atlas.check import Finding, check, require
from counterblow.atlas.drawing import LAYERS, draw, legend
from counterblow.atlas.geometry import Layout

__all__ = ["LAYERS", "Finding", "Layout", "check", "draw", "legend", "require"]
