"""`hocket run --html FILE`: a run as one page that opens from disk and loads nothing.

material.py    what a page is made from: the report, and of a run also its log, waves and Serial
responses.py   how long each job took, from the event log
plots.py       what all plots share: colours, axes, a bound on how much is drawn
timeline.py    loops and cores over time; histograms.py: responses; waves.py: pins
pictures.py    what displays show; words.py: tables and sentences; page.py: the page itself
page.html.j2, page.css, page.js    its text, its look, and how plots follow light and dark
"""
