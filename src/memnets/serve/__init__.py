"""What was trained or built, asked over HTTP: several things side by side, each by its name.

`things` opens what is served and answers; `workers` hands each thing to a thread of its own, many
questions at once; `bodies` reads what came; `app` is the HTTP on top of it and `guard` its door;
`server` runs it until it is told to stop. Needs memnets[serve].
"""
