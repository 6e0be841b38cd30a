CREATE TABLE diagnoses (
  id TEXT PRIMARY KEY,
  seen_at TEXT NOT NULL,
  happened_at TEXT NOT NULL,
  target TEXT NOT NULL,
  place TEXT,
  run_key TEXT NOT NULL,
  bytes BIGINT NOT NULL,
  mtime DOUBLE PRECISION,
  run_status TEXT NOT NULL,
  primary_cause TEXT,
  failure_mode TEXT,
  framework TEXT NOT NULL,
  confidence DOUBLE PRECISION NOT NULL,
  decision TEXT NOT NULL,
  fingerprint TEXT,
  mechanism TEXT NOT NULL,
  node TEXT,
  rank BIGINT,
  step BIGINT,
  hours DOUBLE PRECISION,
  summary TEXT NOT NULL,
  version TEXT NOT NULL
);
CREATE INDEX diagnoses_by_time ON diagnoses (seen_at, id);
CREATE INDEX diagnoses_by_fingerprint ON diagnoses (fingerprint, happened_at);
CREATE TABLE documents (
  diagnosis TEXT PRIMARY KEY REFERENCES diagnoses (id) ON DELETE CASCADE,
  report BYTEA NOT NULL
);
