budget = {"team": "vision", "left": 0.0, "of": 120.0}
if budget["left"] <= 0:
    raise SystemExit(f"GPU-hour quota of team {budget['team']} is used up: {budget['left']} of {budget['of']} h left")
