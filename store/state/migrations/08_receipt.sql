-- What was shown before has no receipt: it is shown anew.
DELETE FROM shown;
ALTER TABLE shown ADD COLUMN receipt TEXT NOT NULL DEFAULT '';
