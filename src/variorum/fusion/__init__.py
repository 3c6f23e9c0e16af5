"""Several sources of one paper, one text: aligned, weighed by the confidence of a tenant, every decision kept."""
