"""Field failures with right answers, by their numbers (S03, S11, …)."""

import json
import os
import shutil
import time

import pytest

from case_files import COLUMNS, KINDS, ROWS, expected, lines_of, seconds_to_open, write_lines, write_wide_csv
from peak_memory import run_measured
from tarn_program import Failed


@pytest.fixture(params=["delta", "iceberg"])
def form(request):
    """The format of the table; test_iceberg_cases.py has what only Iceberg's can show."""
    return request.param


class TestS03Numbers:
    """Integers and decimals are exact; what does not fit is refused by file and line."""

    def ingest_each(self, tarn, files, name, schema, tmp_path):
        """Which lines load one by one, and the refusals of the others."""
        refused = {}
        for number, line in enumerate(lines_of(files / name), start=1):
            one = write_lines(tmp_path / f"{number}.jsonl", [line])
            try:
                tarn.ingest(one, "--into", "t", "--schema", schema)
            except Failed as failure:
                refused[number] = failure
        return refused

    def test_ids(self, tarn, files, tmp_path):
        tarn.init()
        wanted = expected(files, "s03_expected.json")
        refused = self.ingest_each(tarn, files, "s03_ids.jsonl", "id bigint", tmp_path)
        loaded = [str(value) for value in tarn.column("SELECT id FROM t ORDER BY 1 DESC")]
        assert sorted(loaded) == sorted(wanted["int64_exact"])
        assert set(refused) == {4, 5, 8}
        for number, failure in refused.items():
            assert failure.code == 1
            assert f"{number}.jsonl:1" in failure.message and "id" in failure.message
            assert "int64" in failure.message

    def test_whole_file_is_refused(self, tarn, files):
        tarn.init()
        with pytest.raises(Failed) as refused:
            tarn.ingest(files / "s03_ids.jsonl", "--into", "t", "--schema", "id bigint")
        assert refused.value.code == 1 and "s03_ids.jsonl:4" in refused.value.message
        with pytest.raises(Failed):
            tarn.sql("SELECT * FROM t")  # nothing was committed

    def test_prices(self, tarn, files, tmp_path):
        tarn.init()
        wanted = expected(files, "s03_expected.json")
        self.ingest_each(tarn, files, "s03_prices.jsonl", "k int, price decimal(20,2)", tmp_path)
        assert tarn.column("SELECT k FROM t ORDER BY k") == wanted["price_decimal_20_2_loaded_k"]
        assert str(tarn.value("SELECT CAST(sum(price) AS VARCHAR) FROM t")) == "1100000000000000020.19"

    def test_connect_decimals(self, tarn, files, tmp_path):
        """Base64 of the big-endian unscaled value; the empty one is refused by its line."""
        tarn.init()
        wanted = expected(files, "s03_connect_expected.json")
        lines = lines_of(files / "s03_connect_decimals.jsonl")
        pipeline = tarn.folder / "connect.yaml"

        def load(path):
            pipeline.write_text(
                f"source: {path}\ninto: t\ntransforms:\n"
                f"  - connect_decimal: {{price: 'decimal(20,{wanted['scale']})'}}\n"
            )
            tarn.ingest(pipeline)

        with pytest.raises(Failed) as refused:
            load(files / "s03_connect_decimals.jsonl")
        assert refused.value.code == 1
        (bad,) = [number for number, line in enumerate(lines, 1) if wanted[str(number)] == "quarantined"]
        assert f"s03_connect_decimals.jsonl:{bad}" in refused.value.message and "price" in refused.value.message
        good = [line for number, line in enumerate(lines, 1) if number != bad]
        load(write_lines(tmp_path / "good.jsonl", good))
        got = tarn.sql("SELECT k, CAST(price AS VARCHAR) AS price FROM t")
        numbers = {key: value for key, value in wanted.items() if key not in ("scale", str(bad))}
        assert {str(row["k"]): row["price"] for row in got} == numbers


class TestS11Names:
    """Five names that become user_id are refused, all named; with a suffix all values survive."""

    PIPELINE = "source: {path}\ninto: t\ntransforms:\n  - flatten: {options}\n  - snake_case: {options}\n"

    def run(self, tarn, files, options, locale):
        pipeline = tarn.folder / "names.yaml"
        pipeline.write_text(self.PIPELINE.format(path=files / "s11_names.jsonl", options=options))
        return tarn.ingest(pipeline, env={"LC_ALL": locale})

    @pytest.mark.parametrize("locale", ["C", "tr_TR.UTF-8"])
    def test_refused_by_default(self, tarn, files, locale):
        tarn.init()
        with pytest.raises(Failed) as refused:
            self.run(tarn, files, "{}", locale)
        assert refused.value.code == 1
        for name in ["userID", "user_id", "UserId", "$.user.id", "$['user.id']"]:
            assert name in refused.value.message, refused.value.message

    @pytest.mark.parametrize("locale", ["C", "tr_TR.UTF-8"])
    def test_suffixes_keep_all(self, tarn, files, locale):
        tarn.init()
        self.run(tarn, files, "{collisions: suffix}", locale)
        (row,) = tarn.sql("SELECT * FROM t")
        ids = [value for name, value in row.items() if name.startswith("user_id")]
        assert sorted(ids) == [1, 2, 3, 4, 5]
        assert row["größe_änderung"] == 6
        assert row["i̇stanbul"] == 7
        assert row["http_server_url"] == 8


class TestS15HardPartitionValues:
    def test_each_value_is_found(self, tarn, files, form):
        tarn.init()
        tarn.ingest(files / "s15_parts.jsonl", "--into", "t", "--partition-by", "p", "--format", form)
        rows = [json.loads(line) for line in lines_of(files / "s15_parts.jsonl")]
        assert tarn.value("SELECT count(DISTINCT p) FROM t") == 18
        for row in rows:
            literal = row["p"].replace("'", "''")
            assert tarn.column(f"SELECT id FROM t WHERE p = '{literal}'") == [row["id"]], row
        codepoints = expected(files, "s15_expected.json")["values_codepoints"]
        for number, points in codepoints.items():
            value = tarn.value(f"SELECT p FROM t WHERE id = {number}")
            assert [hex(ord(c)) for c in value] == points
        tarn.sql("DELETE FROM t WHERE p = 'A/A'")
        assert tarn.column("SELECT id FROM t ORDER BY id") == [1, *range(3, 19)]

    def test_peers_read_the_same(self, tarn, files):
        deltalake = pytest.importorskip("deltalake")
        tarn.init()
        table = tarn.lake / "hard"
        tarn.ingest(files / "s15_parts.jsonl", "--into", table, "--partition-by", "p")
        rows = deltalake.QueryBuilder().register("t", deltalake.DeltaTable(str(table))).execute("SELECT id, p FROM t")
        got = {row["id"]: row["p"] for batch in rows for row in _pylist(batch)}
        assert got == {row["id"]: row["p"] for row in map(json.loads, lines_of(files / "s15_parts.jsonl"))}


def _pylist(batch):
    import pyarrow as pa

    return pa.record_batch(batch).to_pylist()


class TestS16NullsInPartitions:
    def test_empty_string_is_refused(self, tarn, files):
        tarn.init()
        with pytest.raises(Failed) as refused:
            tarn.ingest(files / "s16_nulls.jsonl", "--into", "t", "--partition-by", "p")
        assert refused.value.code == 1
        assert "''" in refused.value.message and "p" in refused.value.message
        with pytest.raises(Failed):
            tarn.sql("SELECT * FROM t")

    def test_the_others_stay_apart(self, tarn, files, tmp_path):
        tarn.init()
        kept = [line for line in lines_of(files / "s16_nulls.jsonl") if json.loads(line)["id"] != 2]
        tarn.ingest(write_lines(tmp_path / "kept.jsonl", kept), "--into", "t", "--partition-by", "p")
        wanted = {**expected(files, "s16_expected.json"), "p = ''": [], "p <> 'null'": [3, 5], "count(distinct p)": 3}
        for predicate, ids in wanted.items():
            if predicate.startswith("count"):
                assert tarn.value(f"SELECT {predicate} FROM t") == ids
            else:
                assert tarn.column(f"SELECT id FROM t WHERE {predicate} ORDER BY id") == ids, predicate


class TestS17NaNAndSkipping:
    def test_answers_with_skipping_on_and_off(self, tarn, files, form):
        tarn.init()
        schema = ["--schema", "id int, g string, x double", "--format", form]
        for number in range(1, 6):
            tarn.ingest(files / f"s17_f{number}.csv", "--into", "t", *schema)
        wanted = expected(files, "s17_expected.json")
        checked = 0
        for predicate, ids in wanted.items():
            if not isinstance(ids, list) or predicate.startswith("ts"):
                continue
            query = f"SELECT id FROM t WHERE {predicate} ORDER BY id"
            assert tarn.column(query) == ids, predicate
            assert tarn.column(query, "--no-skipping") == ids, predicate
            checked += 1
        assert checked >= 9
        logs = [path for path in (tarn.lake / "default" / "t").rglob("*.json") if path.parent.name != "ledger"]
        assert len(logs) >= 5
        for log in logs:
            for line in lines_of(log):
                json.loads(line, parse_constant=lambda text: pytest.fail(f"{text} is no JSON"))

    def test_microseconds_are_kept(self, tarn, files, form):
        tarn.init()
        schema = ["--schema", "id int, ts timestamp", "--format", form]
        tarn.ingest(files / "s17_ts.csv", "--into", "ts", *schema)
        assert tarn.column("SELECT id FROM ts WHERE ts = '2026-08-10T20:04:53.080758Z'") == [1]


class TestS19SixteenWriters:
    def test_every_append_lands_once(self, tarn, tmp_path):
        tarn.init()
        tarn.sql("CREATE TABLE t (writer INT, n INT)")
        script = "".join("INSERT INTO t VALUES ({w}, %d);" % n for n in range(20))
        processes = [
            tarn.start("sql", "--lake", tarn.lake, "--yes", script.format(w=writer)) for writer in range(16)
        ]
        for process in processes:
            _, err = process.communicate(timeout=600)
            assert process.returncode == 0, err.decode()
        assert tarn.value("SELECT count(*) FROM t") == 320
        assert tarn.value("SELECT count(*) FROM (SELECT DISTINCT writer, n FROM t)") == 320
        history = tarn.json("table", "history", "t")["commits"]
        assert len(history) == 321


class TestS20Overwrites:
    """Two overwrites from one version: of different partitions both succeed, of one exactly one."""

    def both(self, tarn, files, form, first, second):
        tarn.init()
        tarn.ingest(files / "s21_base.jsonl", "--into", "t", "--partition-by", "dt", "--format", form)
        gate = tarn.folder / "gate"
        environment = {"TARN_HOLD_POINT": f"commit.before_reveal:{gate}"}
        processes = [
            tarn.start("ingest", "--lake", tarn.lake, files / name, "--into", "t", "--mode", "overwrite", env=environment)
            for name in (first, second)
        ]
        time.sleep(2.0)  # both have read version 1 and wait at the gate
        gate.write_text("")
        outcomes = []
        for process in processes:
            _, err = process.communicate(timeout=60)
            outcomes.append((process.returncode, err.decode()))
        return outcomes

    def test_different_partitions(self, tarn, files, form):
        outcomes = self.both(tarn, files, form, "s21_new_day1.jsonl", "s21_new_day2.jsonl")
        assert [code for code, _ in outcomes] == [0, 0], outcomes
        assert tarn.sql("SELECT dt, count(*) AS n FROM t GROUP BY dt ORDER BY CAST(dt AS VARCHAR)") == [
            {"dt": "2026-01-01", "n": 2},
            {"dt": "2026-01-02", "n": 3},
            {"dt": "2026-01-03", "n": 5},
        ]

    def test_same_partition(self, tarn, files, tmp_path, form):
        copy = shutil.copy(files / "s21_new_day1.jsonl", tmp_path / "again.jsonl")
        outcomes = self.both(tarn, files, form, "s21_new_day1.jsonl", copy)
        assert sorted(code for code, _ in outcomes) == [0, 3], outcomes
        (message,) = [err for code, err in outcomes if code == 3]
        winner = str(tarn.json("table", "show", "t")["version"])
        for part in ["dt=2026-01-01", f"version {winner}", " by ", " at 20"]:
            assert part in message, message


class TestS21DropReaddRename:
    def test_columns_by_id(self, tarn):
        tarn.init()
        tarn.sql("CREATE TABLE t (id STRING, tag STRING)")
        tarn.sql("INSERT INTO t VALUES ('1', 'x'), ('2', 'y')")
        tarn.sql("ALTER TABLE t DROP COLUMN tag")
        tarn.sql("ALTER TABLE t ADD COLUMN tag STRING")
        tarn.sql("INSERT INTO t VALUES ('3', 'z')")
        tarn.sql("ALTER TABLE t RENAME COLUMN tag TO label")
        tarn.sql("ALTER TABLE t RENAME COLUMN id TO tag")
        rows = tarn.sql("SELECT * FROM t ORDER BY tag")
        assert rows == [{"tag": "1", "label": None}, {"tag": "2", "label": None}, {"tag": "3", "label": "z"}]
        old = tarn.sql("SELECT * FROM t VERSION AS OF 1 ORDER BY id")
        assert old == [{"id": "1", "tag": "x"}, {"id": "2", "tag": "y"}]
        before = {column["name"]: column["id"] for column in tarn.json("table", "schema", "t")["columns"]}
        assert before["tag"] == 1
        tarn.sql("ALTER TABLE t UNDROP COLUMN tag AS old_tag")
        rows = tarn.sql("SELECT tag, old_tag FROM t ORDER BY tag")
        assert [row["old_tag"] for row in rows] == ["x", "y", None]
        after = {column["name"]: column["id"] for column in tarn.json("table", "schema", "t")["columns"]}
        assert after["old_tag"] == 2


class TestS22Case:
    def test_names_match_ignoring_case(self, tarn, files):
        tarn.init()
        tarn.sql("CREATE TABLE t (Status STRING, n BIGINT)")
        tarn.ingest(files / "s22_case.jsonl", "--into", "t")
        assert tarn.sql("SELECT * FROM t ORDER BY n") == [
            {"Status": "a", "n": 1},
            {"Status": "b", "n": 2},
            {"Status": "c", "n": 3},
        ]
        with pytest.raises(Failed) as refused:
            tarn.ingest(files / "s22_dup.jsonl", "--into", "t")
        assert "s22_dup.jsonl:1" in refused.value.message and "Status" in refused.value.message


class TestS23DamagedCheckpoint:
    @pytest.fixture
    def table(self, tarn):
        tarn.init()
        tarn.sql("CREATE TABLE t (n INT)")
        tarn.sql("".join(f"INSERT INTO t VALUES ({n});" for n in range(1, 25)))
        return tarn.lake / "default" / "t"

    def damage(self, log, kind):
        checkpoint = next(log.glob("*20.checkpoint*.parquet"))
        hint = log / "_last_checkpoint"
        if kind == "cut":
            checkpoint.write_bytes(checkpoint.read_bytes()[: checkpoint.stat().st_size // 2])
        elif kind == "ahead":
            hint.write_text(json.dumps({**json.loads(hint.read_text()), "version": 30}))
        elif kind == "empty":
            hint.write_text("")
        elif kind == "gone":
            checkpoint.unlink()

    @pytest.mark.parametrize("kind", ["cut", "ahead", "empty", "gone"])
    def test_reads_and_writes_go_on(self, tarn, table, kind):
        self.damage(table / "_delta_log", kind)
        assert tarn.column("SELECT n FROM t ORDER BY n") == list(range(1, 25))
        if kind in ("cut", "gone", "ahead"):
            assert "warning" in tarn.messages.lower(), tarn.messages
        tarn.sql("INSERT INTO t VALUES (25)")
        assert tarn.column("SELECT n FROM t ORDER BY n") == list(range(1, 26))

    def test_a_missing_commit_is_named(self, tarn, table):
        (table / "_delta_log" / f"{22:020}.json").unlink()
        with pytest.raises(Failed) as refused:
            tarn.sql("SELECT * FROM t")
        assert refused.value.code == 1 and "22" in refused.value.message
        assert tarn.value("SELECT count(*) FROM t VERSION AS OF 21") == 21


class TestS24TimeTravelAfterCopy:
    def test_copies_answer_alike(self, tarn, tmp_path):
        tarn.init()
        tarn.sql("CREATE TABLE t (n INT)")
        for n in range(4):
            time.sleep(1.0)
            tarn.sql(f"INSERT INTO t VALUES ({n})")
        commits = tarn.json("table", "history", "t")["commits"]
        times = {int(commit["version"]): commit["timestamp"] for commit in commits}
        assert [times[v] for v in sorted(times)] == sorted(times.values()) and len(set(times.values())) == 5
        copy = tmp_path / "copy"
        shutil.copytree(tarn.lake / "default" / "t", copy, copy_function=shutil.copyfile)
        for log in (copy / "_delta_log").glob("*.json"):
            os.utime(log, (1, 1))
        for version, when in times.items():
            for place in ["t", f"'{copy}'"]:
                assert tarn.value(f"SELECT count(*) FROM {place} TIMESTAMP AS OF '{when}'") == version, place
        with pytest.raises(Failed) as refused:
            tarn.sql(f"SELECT * FROM '{copy}' TIMESTAMP AS OF '2001-01-01 00:00:00'")
        assert times[0][:10] in refused.value.message
        assert tarn.value(f"SELECT count(*) FROM '{copy}' TIMESTAMP AS OF '2999-01-01 00:00:00'") == 4


class TestS26Overwrite:
    @pytest.fixture
    def table(self, tarn, files, form):
        tarn.init()
        tarn.ingest(files / "s21_base.jsonl", "--into", "t", "--partition-by", "dt", "--format", form)

    def counts(self, tarn):
        return {row["d"]: row["n"] for row in tarn.sql("SELECT CAST(dt AS VARCHAR) AS d, count(*) AS n FROM t GROUP BY 1")}

    def test_with_nothing(self, tarn, table):
        tarn.sql("INSERT OVERWRITE t PARTITION (dt = '2026-01-01') SELECT id, v FROM t WHERE false")
        assert self.counts(tarn) == {"2026-01-02": 5, "2026-01-03": 5}

    def test_from_itself(self, tarn, table):
        tarn.sql(
            "INSERT OVERWRITE t PARTITION (dt) SELECT id, v + 1 AS v, dt FROM t WHERE dt = '2026-01-02'"
        )
        assert self.counts(tarn) == {"2026-01-01": 5, "2026-01-02": 5, "2026-01-03": 5}
        assert tarn.sql("SELECT CAST(dt AS VARCHAR) AS d, v FROM t GROUP BY ALL ORDER BY ALL") == [
            {"d": "2026-01-01", "v": 1},
            {"d": "2026-01-02", "v": 2},
            {"d": "2026-01-03", "v": 1},
        ]


class TestS28ThousandCommits:
    def test_opening_needs_few_files(self, tarn):
        tarn.init()
        tarn.sql("CREATE TABLE one (n INT)")
        tarn.sql("CREATE TABLE t (n INT)")
        tarn.sql("".join(f"INSERT INTO t VALUES ({n});" for n in range(1000)))
        assert tarn.value("SELECT count(*) FROM t") == 1000
        assert tarn.value("SELECT count(DISTINCT n) FROM t") == 1000
        log = tarn.lake / "default" / "t" / "_delta_log"
        newest = max(int(path.name[:20]) for path in log.glob("*.checkpoint*.parquet"))
        commits = {int(path.name[:20]): path for path in log.glob("*.json") if path.name[0].isdigit()}
        assert len([version for version in commits if version > newest]) + 2 <= 20
        # What a commit and a checkpoint weigh does not grow with the commits before them.
        assert commits[1000].stat().st_size <= commits[1].stat().st_size + 100
        checkpoint = next(log.glob(f"{newest:020}.checkpoint*.parquet"))
        assert checkpoint.stat().st_size <= 500 * (newest + 1)
        assert seconds_to_open(tarn, "t") <= 3 * seconds_to_open(tarn, "one")
        for back in range(10):
            assert tarn.value(f"SELECT count(*) FROM t VERSION AS OF {1000 - back}") == 1000 - back


    def test_upkeep_keeps_live_files_few(self, tarn):
        tarn.init()
        tarn.sql("CREATE TABLE t (n INT) TBLPROPERTIES ('tarn.upkeep.commits' = '16')")
        tarn.sql("".join(f"INSERT INTO t VALUES ({n});" for n in range(100)))
        assert len(tarn.json("table", "files", "t")["files"]) <= 20
        assert tarn.column("SELECT n FROM t ORDER BY n") == list(range(100))
        assert len(tarn.column("SELECT version FROM t.history")) <= 1 + 100 + 100 // 16 + 1


class TestS29WideTable:
    def test_ten_commits(self, tarn, tmp_path):
        tarn.init()
        schema = ", ".join(f"c{i} {KINDS[i % 3]}" for i in range(COLUMNS))
        # Columns far behind any first 32 are named for statistics.
        tarn.sql(f"CREATE TABLE t ({schema}) TBLPROPERTIES ('delta.dataSkippingStatsColumns' = 'c2997,c2999')")
        tarn.sql(f"CREATE TABLE by_default ({schema})")
        paths = [tmp_path / f"wide{commit}.csv" for commit in range(10)]
        for commit, path in enumerate(paths):
            write_wide_csv(path, commit)
        for table in ("t", "by_default"):
            seconds = 0.0
            for path in paths:
                run = run_measured(tarn, "ingest", path, "--into", table, "--threads", 2)
                assert run["peak_bytes"] < 1 << 30, run
                seconds += run["cpu_seconds"] / 2  # of two cores: what else the machine does is no fault
            assert seconds < 10, f"{table}: ten commits took {seconds:.1f} s of two cores"
            for log in (tarn.lake / "default" / table / "_delta_log").glob("*.json"):
                assert log.stat().st_size < 1 << 20, log
            assert tarn.value(f"SELECT count(*) FROM {table}") == 10 * ROWS
            assert tarn.value(f"SELECT count(*) FROM {table} WHERE c2997 = 2997 + 2500") == 1
            assert tarn.value(f"SELECT sum(c2997) FROM {table}") == sum(n + 2997 for n in range(10 * ROWS))
        # The named columns, and only those, have bounds: by them nine files of ten are left out.
        (file, *_) = tarn.json("table", "files", "t")["files"]
        assert set(file["statistics"]) == {"c2997", "c2999"}, file["statistics"]
        plan = tarn.run("sql", "--lake", tarn.lake, "EXPLAIN SELECT c0 FROM t WHERE c2997 = 2997 + 2500")
        assert "1 of 10" in plan, plan
