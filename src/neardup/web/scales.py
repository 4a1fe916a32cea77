"""Scales: where a value lies on an axis, and which values get a tick."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

STEPS = (1, 2, 2.5, 5, 10)


@dataclass(frozen=True)
class Scale:
    """Maps values between `least` and `most` to pixels, evenly or by their logarithm."""

    least: float
    most: float
    begin: float
    end: float
    log: bool = False

    def at(self, value: float) -> float:
        """Return the pixel of a value.

        >>> Scale(1, 100, 0, 200, log=True).at(10)
        100.0
        """
        least, most = self._level(self.least), self._level(self.most)
        share = (self._level(value) - least) / (most - least) if most > least else 0.5
        return round(self.begin + share * (self.end - self.begin), 2)

    def _level(self, value: float) -> float:
        return math.log10(value) if self.log else value

    def ticks(self, count: int = 6) -> list[float]:
        """Return round values along the axis, about as many as asked for.

        >>> Scale(0, 1, 0, 100).ticks()
        [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]
        """
        if self.log:
            first, last = math.floor(math.log10(self.least)), math.ceil(math.log10(self.most))
            every = max(1, math.ceil((last - first) / count))
            factors = (1, 2, 5) if last - first < 3 else (1,)
            found = [f * 10.0**power for power in range(first, last + 1, every) for f in factors]
            return [tick for tick in found if self.least <= tick * 1.0001 and tick <= self.most * 1.0001]
        span = self.most - self.least
        if span <= 0:
            return [self.least]
        unit = 10 ** math.floor(math.log10(span / count))
        step = next(s * unit for s in STEPS if span / (s * unit) <= count)
        first = math.ceil(self.least / step - 1e-9)
        last = math.floor(self.most / step + 1e-9)
        return [round(n * step, 12) for n in range(first, last + 1)]


def covering(
    values: Iterable[float], begin: float, end: float, log: bool = False, zero: bool = True
) -> Scale:
    """Return a scale for some values, and for 0 if that is wanted and it is not logarithmic."""
    known = [value for value in values if math.isfinite(value) and (value > 0 or not log)]
    if not known:
        return Scale(1 if log else 0, 10 if log else 1, begin, end, log)
    least, most = min(known), max(known)
    if log:
        return Scale(least, most if most > least else least * 10, begin, end, True)
    least = min(least, 0) if zero else least
    return Scale(least, most if most > least else least + 1, begin, end)


def short(value: float) -> str:
    """Write the value of a tick.

    >>> [short(v) for v in (0.2, 1500.0, 2000000.0, 10.0, 0.0001)]
    ['0.2', '1,500', '2 M', '10', '0.0001']
    """
    if abs(value) >= 1e6:
        return f"{value / 1e6:,.10g} M"
    return f"{value:,.10g}" if abs(value) >= 1000 else f"{value:.6g}"


def written(value: float) -> str:
    """Write a value as people do, with three digits or, if it is large, whole.

    >>> [written(v) for v in (1210.0, 33.3333, 0.01234, 7)]
    ['1,210', '33.3', '0.0123', '7']
    """
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
