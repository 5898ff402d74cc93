"""Writes a compile_commands.json: database.py FOLDER [FLAG...] -- FILE..."""

import json
import os
import sys

folder, *rest = sys.argv[1:]
at = rest.index("--")
flags, files = rest[:at], rest[at + 1:]
folder = os.path.abspath(folder)
json.dump([{"directory": folder, "file": file,
            "arguments": ["c++", "-std=c++20", *flags, "-c", file]}
           for file in files],
          open(os.path.join(folder, "compile_commands.json"), "w"), indent=1)
