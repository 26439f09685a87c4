"""From a window to candidates: by the embedded rules or by a model."""
