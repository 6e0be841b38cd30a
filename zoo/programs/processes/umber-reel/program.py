"""The job is the shell script beside this file; it writes and builds its C++ itself."""
