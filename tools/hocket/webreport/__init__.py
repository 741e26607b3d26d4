"""`hocket run --html FILE`: a run as one page that opens from disk and loads nothing else.

material.py    the input of a page: the report, and the log, waves and Serial of a run
responses.py   the response time of each job, from the event log
plots.py       what all plots share: colours, axes, a limit on how much is drawn
timeline.py    loops and cores over time; histograms.py: responses; waves.py: pins
pictures.py    what displays show; words.py: tables and sentences; page.py: the page itself
page.html.j2, page.css, page.js    its text, its look, and how plots follow light and dark
"""
