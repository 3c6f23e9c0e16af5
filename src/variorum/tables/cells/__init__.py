"""Cell methods: which text belongs to which cell. One file a method; they never import each other."""
