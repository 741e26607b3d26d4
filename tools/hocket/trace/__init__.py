"""The kernel's event log and its conversions: Perfetto, VCD, a readable listing."""
