"""The stress test: the whole product on real papers, what a researcher would assert of the result, and a verdict."""
