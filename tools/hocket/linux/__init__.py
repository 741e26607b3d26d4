"""The Debian system that runs beside Hocket: how it is made out of packages, and how it is started."""
