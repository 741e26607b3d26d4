"""One sketch under several scheduling policies (`hocket compare`), side by side."""
