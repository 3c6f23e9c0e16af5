"""Structure methods: where rows and columns lie. One file a method; they never import each other."""
