"""Which lessons somebody has finished at this computer: a small file in the user's data folder."""

from __future__ import annotations

import json
from pathlib import Path

import platformdirs

from counterblow.learn.lesson import Lesson

FILE = "lessons.json"


class Progress:
    """Finished lessons by game. A file that cannot be read counts as empty; it is written whole or not at all."""

    def __init__(self, file: Path | None = None) -> None:
        self.file = file or Path(platformdirs.user_data_dir("counterblow", appauthor=False)) / FILE
        self.finished = self._read()

    def _read(self) -> dict[str, list[str]]:
        try:
            found = json.loads(self.file.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        if not isinstance(found, dict):
            return {}
        return {str(game): [str(name) for name in names] for game, names in found.items() if isinstance(names, list)}

    def has(self, lesson: Lesson) -> bool:
        """Has this lesson been learnt?"""
        return lesson.name in self.finished.get(lesson.game.slug, ())

    def add(self, lesson: Lesson) -> None:
        """Note that a lesson has been learnt."""
        if self.has(lesson):
            return
        self.finished.setdefault(lesson.game.slug, []).append(lesson.name)
        self.file.parent.mkdir(parents=True, exist_ok=True)
        new = self.file.with_suffix(".new")
        new.write_text(json.dumps(self.finished, indent=1), encoding="utf-8")
        new.replace(self.file)
