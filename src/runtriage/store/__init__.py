"""History of diagnoses and the cache."""
