"""Running batches without being asked: `silt watch`, and the waiter that hooks start."""
