import pandas as pd
from sklearn.linear_model import LinearRegression
frame = pd.DataFrame({"x": [1, 2, "three", 4], "y": [1.0, 2.0, 3.0, 4.0]})
print(f"{len(frame)} rows")
LinearRegression().fit(frame[["x"]], frame["y"])
