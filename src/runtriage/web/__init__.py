"""The web page and the JSON API of `runtriage serve`: a thin skin over the API."""
