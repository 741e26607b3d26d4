"""Support of sketches in an editor: clangd, which knows C++, behind a translator that knows sketches."""
