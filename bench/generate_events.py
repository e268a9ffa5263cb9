#!/usr/bin/env python3
"""Writes the events of the JSON lines benchmark: generate_events.py [--rows N] [--seed S] FILE

One object per line, the same bytes for the same seed:
  eventId 0…, userId below 200,000, eventTime 2026-MM-DDTHH:MM:SS+05:30, event (view, click, call,
  pay), phone "+91 " and 10 digits, price (a number in quotes), property {City, beds, geo {lat, lon}},
  tags (0 to 2 strings), note (0 to 3 repeats of a 27-byte text). 1,000,000 rows are about 316 MB.
"""
import argparse
import random
import sys

CITIES = ["Mumbai", "Pune", "Delhi", "Bengaluru", "Hyderabad", "Chennai", "Kolkata", "Ahmedabad"]
EVENTS = ["view", "click", "call", "pay"]
TAGS = ["new", "resale", "rent", "verified", "premium", "owner"]
NOTE = "quiet road, near the park. "


def rows(count, seed):
    draw = random.Random(seed)
    below = draw.random
    for i in range(count):
        tags = ", ".join(f'"{TAGS[int(below() * 6)]}"' for _ in range(int(below() * 3)))
        yield (
            f'{{"eventId": {i}, "userId": {int(below() * 200000)}, '
            f'"eventTime": "2026-{int(below() * 12) + 1:02d}-{int(below() * 28) + 1:02d}T'
            f'{int(below() * 24):02d}:{int(below() * 60):02d}:{int(below() * 60):02d}+05:30", '
            f'"event": "{EVENTS[int(below() * 4)]}", '
            f'"phone": "+91 {int(below() * 9e9) + 1000000000}", '
            f'"price": "{int(below() * 1e7) + 100}.{int(below() * 100):02d}", '
            f'"property": {{"City": "{CITIES[int(below() * 8)]}", "beds": {int(below() * 5) + 1}, '
            f'"geo": {{"lat": {8 + below() * 25:.6f}, "lon": {68 + below() * 22:.6f}}}}}, '
            f'"tags": [{tags}], "note": "{NOTE * int(below() * 4)}"}}\n'
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=20261130)
    parser.add_argument("file", help="'-' writes to standard output")
    options = parser.parse_args()
    out = sys.stdout if options.file == "-" else open(options.file, "w", encoding="utf-8")
    with out:
        block = []
        for line in rows(options.rows, options.seed):
            block.append(line)
            if len(block) == 10_000:
                out.write("".join(block))
                block.clear()
        out.write("".join(block))


if __name__ == "__main__":
    main()
