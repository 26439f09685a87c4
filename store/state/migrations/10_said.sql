ALTER TABLE rejected ADD COLUMN said TEXT NOT NULL DEFAULT '';
-- What the user asked not to keep was kept here, of all places.
UPDATE rejected SET text = '', evidence = '' WHERE reason = 'negated_request';
