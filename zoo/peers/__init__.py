"""Other public tools, made to answer in the words the zoo scores."""
