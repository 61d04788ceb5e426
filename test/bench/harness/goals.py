"""A line of the result: what was measured, and what it should be."""

import json
from dataclasses import dataclass, field


@dataclass
class Goal:
    name: str
    value: float
    goal: float
    at_most: bool = False
    unit: str = "x"
    shown: str = ""  # why a goal counts as met where the value alone doesn't say so
    details: dict = field(default_factory=dict)

    @property
    def met(self):
        return bool(self.shown) or (self.value <= self.goal if self.at_most else self.value >= self.goal)

    def line(self):
        relation = "<=" if self.at_most else ">="
        text = f"{self.name:<66} {self.value:>9.4g}{self.unit:<6} {relation} {self.goal:g}{self.unit:<6} {'ok' if self.met else 'short'}"
        if self.shown:
            text += f" ({self.shown})"
        if self.details:
            text += "\n" + " " * 4 + ", ".join(f"{name} {value:.4g}" if isinstance(value, float) else f"{name} {value}"
                                               for name, value in self.details.items())
        return text

    def as_json(self):
        return {"name": self.name, "value": self.value, "goal": self.goal, "at_most": self.at_most, "unit": self.unit.strip(),
                "met": self.met, "shown": self.shown, "details": self.details}


def write(goals, file):
    with open(file, "w", encoding="utf-8") as out:
        json.dump([goal.as_json() for goal in goals], out, indent=2)
        out.write("\n")
