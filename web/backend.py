"""The package's build backend: setuptools, after the browser client is built into the package.

A wheel made from the repository always holds the client. Node comes from the machine, or else from PyPI.
"""

from __future__ import annotations

import build as client
from setuptools import build_meta
from setuptools.build_meta import (
    build_editable,
    build_sdist,
    get_requires_for_build_editable,
    get_requires_for_build_sdist,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable",
    "prepare_metadata_for_build_wheel",
]


def get_requires_for_build_wheel(config_settings=None):
    needed = build_meta.get_requires_for_build_wheel(config_settings)
    has_node = client.is_current() or client.node_on_machine() is not None
    return needed if has_node else [*needed, client.NODE_PACKAGE]


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    client.build()
    return build_meta.build_wheel(wheel_directory, config_settings, metadata_directory)
