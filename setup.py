"""Builds the hot paths with Cython where a C compiler is at hand; without one the plain Python runs."""

from setuptools import Extension, setup

try:
    from Cython.Build import cythonize
except ImportError:
    extensions = []
else:
    extensions = cythonize(
        [Extension("counterblow.kernel.graph", ["src/counterblow/kernel/graph.py"])],
        compiler_directives={
            "language_level": 3,
            "annotation_typing": False,
            "boundscheck": False,
            "wraparound": False,
            "cdivision": True,
        },
        build_dir="build/cython",
    )
    for extension in extensions:
        extension.optional = True  # no compiler: a warning, and the plain Python stays

setup(ext_modules=extensions)
