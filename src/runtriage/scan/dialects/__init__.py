"""How training programs print progress and metrics, and what their fixed phrases mean."""
