"""The lab's tests: its page, and a browser that looks at it."""
