CREATE TABLE entities (
  diagnosis TEXT NOT NULL REFERENCES diagnoses (id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  PRIMARY KEY (diagnosis, kind, name)
);
CREATE INDEX entities_by_name ON entities (kind, name);
ALTER TABLE documents ADD COLUMN settings BYTEA;
