"""Tenants: named configurations of a fusion, their weights by source and type, and which signals lower them."""

from variorum.fusion.tenants.model import DASH, TYPES, Tenant, Weight
from variorum.fusion.tenants.reading import PACKAGED, load_tenant, parse_tenant, tenant_names

__all__ = ["DASH", "PACKAGED", "TYPES", "Tenant", "Weight", "load_tenant", "parse_tenant", "tenant_names"]
