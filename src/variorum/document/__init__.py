"""Typed components of a paper with provenance, their JSON, and their exports."""

from variorum.document.apparatus import (
    Candidate,
    Divider,
    EdgeMove,
    MethodOutcome,
    MetricValue,
    RegionEdge,
    Repair,
    TableApparatus,
    Vote,
)
from variorum.document.model import (
    SCHEMA_VERSION,
    Caption,
    Cell,
    ComponentKind,
    Document,
    DroppedRow,
    Notice,
    PageInfo,
    Provenance,
    Table,
    TablePart,
    TextComponent,
)
from variorum.document.referee import to_referee
from variorum.document.selecting import find_table

__all__ = [
    "SCHEMA_VERSION",
    "Candidate",
    "Caption",
    "Cell",
    "ComponentKind",
    "Divider",
    "Document",
    "DroppedRow",
    "EdgeMove",
    "MethodOutcome",
    "MetricValue",
    "Notice",
    "PageInfo",
    "Provenance",
    "RegionEdge",
    "Repair",
    "Table",
    "TableApparatus",
    "TablePart",
    "TextComponent",
    "Vote",
    "find_table",
    "to_referee",
]
