"""The job is the shell script beside this file; it writes its Python itself."""
