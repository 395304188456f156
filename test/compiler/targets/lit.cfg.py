# The same set-up as for the lowering.
import os

lit_config.load_config(config, os.path.join(os.path.dirname(__file__), "..", "lowering", "lit.cfg.py"))
