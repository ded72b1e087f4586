"""Malformed files: of facts, tables, stories, and of bAbI."""

FACTS = {
    "nothing": b"",
    "blank lines": b"\n\n\n",
    "one word": b"word\n",
    "NUL": b"a\tb\tc\n\0\0\0\n",
    "UTF-16": "Ada\tborn_in\tOslo\n".encode("utf-16"),
    "latin-1": "Ada\tborn_in\tTromsø\n".encode("latin-1"),
    "a zip": b"PK\x03\x04" + bytes(range(256)),
    "gzip": b"\x1f\x8b\x08" + bytes(range(200)),
    "an image": b"\x89PNG\r\n\x1a\n" + bytes(range(200)),
    "JSON": b'[{"subject": "Ada", "relation": "born_in", "object": "Oslo"},]\n',
    "HTML": b"<table><tr><td>Ada</td></tr></table>\n",
    "an open quote": b'subject,relation,object\n"Ada,born_in,Oslo\n',
    "a quoted newline": b'subject,relation,object\n"Ada\nLovelace",born_in,London\n',
    "columns that vary": b"a\tb\tc\nd\te\nf\tg\th\ti\n",
    "an empty name": b"\tborn_in\tOslo\n",
    "an empty relation": b"Ada\t\tOslo\n",
    "an empty object": b"Ada\tborn_in\t\n",
    "a header alone": b"subject\trelation\tobject\n",
    "escapes": b"\x1b[31mAda\tborn_in\tOslo\n",
    "right to left": "Ada\u202e\tborn_in\tOslo\n".encode(),
    "a long line": b"Ada\tborn_in\t" + b"x" * 100_000 + b"\n",
    "carriage returns": b"Ada\tborn_in\tOslo\rBo\tborn_in\tRome\r",
    "markup": b"[/]\t[bold]\t[red]x[/]\n",
    "surrogates": b"Ada\tborn_in\t\xed\xa0\x80\n",
}
"""Files of facts."""

TABLES = {
    "empty header cells": b"name,,town\nAda,1,Oslo\n",
    "trailing empty header cells": b"name,town,,\nAda,Oslo,,\n",
    "a header twice": b"name,town,town\nAda,Oslo,Rome\n",
    "rows too long": b"name,town\nAda,Oslo,Rome\n",
    "rows too short": b"name,town,born\nAda\n",
    "a header alone": b"name,town\n",
    "one column": b"name\nAda\n",
    "two of one name": b"name,town\nAda,Oslo\nAda,Rome\n",
    "no names": b"name,town\n,Oslo\n",
}
"""Tables with a row an entity."""

STORIES = {
    "nothing": "",
    "a question first": "Where is Mary?\n",
    "unknown words": "Xyzzy plugh.\nWhere is the frobnitz?\n",
    "brackets": "[/] went [bold].\nWhere is [red]?\n",
    "escapes": "\x1b[2JMary went home.\nWhere is Mary?\n",
    "a long sentence": f"{'Mary ' * 5000}.\nWhere is Mary?\n",
    "many sentences": "Mary moved to the garden.\n" * 2000 + "Where is Mary?\n",
    "full width": "Mary moved to the garden.\nWhere is Mary？\n",
    "quotes": 'Mary moved to the garden.\n"Where is Mary?"\n',
    "question marks": "???\n?\n",
    "NUL": "Mary\0moved.\nWhere is Mary?\n",
    "another script": "玛丽 去了 花园。\n玛丽在哪里？\n",
    "emoji": "Mary 🏃 garden.\nWhere is 🏃?\n",
}
"""What may be typed into `ask`."""

BABI = {
    "no tab": "1 Mary moved to the garden.\n2 Where is Mary? garden 1\n",
    "a line number twice": "1 Mary ran.\n1 John ran.\n1 Where is Mary?\tgarden\t1\n",
    "numbers that fall": "2 Mary moved.\n1 John ran.\n0 Where is Mary?\tgarden\t1\n",
    "no numbers": "Mary moved to the garden.\nWhere is Mary?\tgarden\t1\n",
    "cut in the line": "1 Mary moved to the garden.\n2 Where is Mary?\tgard",
    "cut before the support": "1 Mary moved to the garden.\n2 Where is Mary?\tgarden\t",
    "a support to come": "1 Mary moved.\n2 Where is Mary?\tgarden\t3\n3 John ran.\n",
    "a support that is a question": "1 Is it?\tno\t\n2 Where is Mary?\tgarden\t1\n",
    "an answer that is empty": "1 Mary moved.\n2 Where is Mary?\t\t1\n",
    "no questions": "1 Mary moved to the garden.\n2 John ran.\n",
    "nothing": "",
    "a huge number": f"{'9' * 5000} Mary moved.\n",
    "a negative number": "-1 Mary moved.\n2 Where is Mary?\tgarden\t1\n",
    "NUL": "1 Mary\0moved.\n2 Where is Mary?\tgarden\t1\n",
    "supports that are no numbers": "1 Mary moved.\n2 Where is Mary?\tgarden\tone\n",
    "too many tabs": "1 Mary moved.\n2 Where is Mary?\tgarden\t1\t2\t3\n",
}
"""Files of bAbI, in the place of task 1."""
