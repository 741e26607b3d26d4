"""The lab: a sketch that runs live, on a page of this machine (docs/guide/lab.md)."""
