CREATE TABLE feedback (
  diagnosis TEXT NOT NULL REFERENCES diagnoses (id) ON DELETE CASCADE,
  given_at TEXT NOT NULL,
  says TEXT NOT NULL,
  note TEXT NOT NULL,
  cause TEXT,
  PRIMARY KEY (diagnosis, given_at, says)
);
CREATE INDEX diagnoses_by_place ON diagnoses (place, seen_at);
CREATE INDEX diagnoses_by_cause ON diagnoses (primary_cause);
CREATE INDEX diagnoses_by_status ON diagnoses (run_status);
CREATE INDEX diagnoses_by_node ON diagnoses (node);
