"""The only place that starts or sends anything."""
