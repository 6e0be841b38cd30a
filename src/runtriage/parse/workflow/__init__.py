"""Documents of workflow runs and answers about them. Apart from the parsers that every diagnosis loads."""
