"""Reading the tools of real upstreams into the catalog."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import anyio
import pytest

from quartermaster.catalog.ingest import RefreshWorker
from quartermaster.settings.sections import IngestSettings
from quartermaster.upstream import announced
from tests.service.workers.conftest import SETTINGS, Catalog, open_catalog
from tests.support.database import Database, run_script
from tests.support.origins import add_origin
from tests.support.shared_data import SHARED, needs_shared
from tests.support.upstreams import leaf_server, rude_spec
from tests.support.waiting import until

OBJECT = {"type": "object"}
# As the server ends a statement that takes too long.
_TOO_SLOW = """
create function public.too_slow() returns trigger language plpgsql as $function$
begin
    raise query_canceled using message = 'canceling statement due to statement timeout';
end
$function$;
create trigger too_slow before insert on catalog.item
for each row when (new.name = 'slow') execute function public.too_slow();
"""


def tool(name: str, **members: Any) -> dict[str, Any]:
    return {"name": name, "inputSchema": OBJECT, **members}


@needs_shared
@pytest.mark.anyio
async def test_every_definition_of_seventeen_real_servers_is_stored_whole(catalog: Catalog) -> None:
    offers = {
        path.stem: json.loads(path.read_text())["tools"]
        for path in sorted((SHARED / "upstreams").glob("*.json"))
    }
    refreshes = [await catalog.offer(name, tools) for name, tools in offers.items()]

    rows = await catalog.carried_out(*refreshes)

    assert [(row["origin"], row["status"], row["added"]) for row in rows] == [
        (name, "done", len(tools)) for name, tools in offers.items()
    ]
    stored = catalog.rows(
        "select o.name, t.name, d.title, coalesce(d.description, ''), d.input_schema,"
        " nullif(d.output_schema, 'null'), d.annotations, d.extra"
        " from catalog.item as t inner join catalog.origin as o on o.id = t.origin_id"
        " cross join lateral jsonb_to_record(t.definition) as d (title text, description text,"
        " input_schema jsonb, output_schema jsonb, annotations jsonb, extra jsonb)"
        " where t.kind = 'tool'"
    )
    columns = ("title", "description", "inputSchema", "outputSchema", "annotations")
    assert {(origin, name): rest for origin, name, *rest in stored} == {
        (origin, listed["name"]): [
            listed.get("title"),
            listed.get("description", ""),
            listed["inputSchema"],
            listed.get("outputSchema"),
            listed.get("annotations", {}),
            {key: value for key, value in listed.items() if key not in ("name", *columns)},
        ]
        for origin, tools in offers.items()
        for listed in tools
    }


@pytest.mark.anyio
async def test_a_refresh_of_an_unchanged_list_stores_nothing(catalog: Catalog) -> None:
    await catalog.carry_out(await catalog.offer("same", [tool("a"), tool("b")]))
    versions = catalog.rows("select * from catalog.item_version order by 1, 2")
    cards = catalog.rows("select * from search.card order by id")

    row = await catalog.carry_out(await catalog.request("same"))

    assert (row["added"], row["changed"], row["unchanged"]) == (0, 0, 2)
    assert catalog.rows("select * from catalog.item_version order by 1, 2") == versions
    assert catalog.rows("select * from search.card order by id") == cards


@pytest.mark.anyio
async def test_a_vanished_tool_is_deprecated_and_comes_back(catalog: Catalog) -> None:
    await catalog.carry_out(await catalog.offer("shop", [tool("buy"), tool("sell")]))
    live = (
        "select name from catalog.item where kind = 'tool' and deprecated_at is null order by name"
    )

    catalog.write_offer("shop", [tool("buy")])
    gone = await catalog.carry_out(await catalog.request("shop"))
    assert (gone["deprecated"], catalog.rows(live)) == (1, [("buy",)])

    catalog.write_offer("shop", [tool("buy"), tool("sell")])
    back = await catalog.carry_out(await catalog.request("shop"))
    assert (back["changed"], catalog.rows(live)) == (1, [("buy",), ("sell",)])
    versions = "select count(*) from catalog.item_version where definition ? 'input_schema'"
    assert catalog.rows(versions) == [(2,)]


@pytest.mark.anyio
async def test_an_upstream_that_lists_nothing_any_more_is_warned_about(
    catalog: Catalog, capsys: pytest.CaptureFixture[str]
) -> None:
    await catalog.carry_out(await catalog.offer("empty", [tool("only")]))
    catalog.write_offer("empty", [])

    refresh = await catalog.request("empty")
    said: list[str] = []

    def has_warned() -> bool:
        said.append(capsys.readouterr().err)
        return "origin_lists_nothing_any_more" in "".join(said)

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(RefreshWorker(catalog.service).run)
        row = await catalog.finished(refresh)
        await until(has_warned)
        tasks.cancel_scope.cancel()

    assert (row["status"], row["deprecated"]) == ("done", 1)


@pytest.mark.anyio
async def test_each_bad_definition_is_rejected_alone_and_with_a_reason(catalog: Catalog) -> None:
    refresh = await catalog.offer(
        "mixed",
        [
            tool("good"),
            {"inputSchema": OBJECT},
            tool("large", description="x" * 300_000),
            tool("twice", description="first"),
            tool("twice", description="second"),
            tool("nul\x00in_name"),
            tool("nul", inputSchema={"type": "object", "default": {"a": "\x00"}}),
            tool("n" * 513),
            tool("text", description="a\x00b"),
            tool("日本語 ツール 🛠"),
        ],
    )

    row = await catalog.carry_out(refresh)

    assert (row["status"], row["added"]) == ("done", 4)
    reasons = {str(r["name"])[:20]: r["reason"] for r in row["rejected"]}
    assert {name: reason.split(";")[0][:45] for name, reason in reasons.items()} == {
        "None": "name: Field required (number 1)",
        "large": "the definition has 300,072 bytes, more than t",
        "twice": "the origin lists this name twice",
        "nul\ufffdin_name": "name contains a character that cannot be stor",
        "nul": "input_schema/default/a contains a character t",
        "n" * 20: "the name is longer than 512 characters",
    }
    stored = catalog.rows(
        "select name, coalesce(definition ->> 'description', '') from catalog.item"
        " where kind = 'tool' order by id"
    )
    assert dict(stored) == {
        "good": "",
        "twice": "first",
        "text": "a\ufffdb",
        "日本語 ツール 🛠": "",
    }


@pytest.mark.anyio
async def test_a_definition_that_met_a_time_limit_is_not_rejected(
    catalog: Catalog, database: Database
) -> None:
    with database.connect() as connection:
        run_script(connection, _TOO_SLOW)
    refresh = await catalog.offer("slow", [tool("a"), tool("b"), tool("slow")])

    row = await catalog.carry_out(refresh)

    assert (row["status"], row["failure_class"], row["rejected"]) == ("failed", "timeout", [])
    assert row["added"] == 2, "in smaller batches, the others are stored"
    assert "time limit" in row["failure"]


@pytest.mark.anyio
async def test_lines_on_stdout_that_are_not_the_protocol_do_no_harm(catalog: Catalog) -> None:
    row = await catalog.carry_out(await catalog.add_spec(rude_spec("banner", "malformed")))

    assert (row["status"], row["added"], len(row["rejected"])) == ("done", 9, 2)


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("mode", "short", "failure_class"),
    [
        ("hang-at-start", {"connect_timeout_s": 3}, "timeout"),
        ("hang-at-list", {"list_timeout_s": 3}, "timeout"),
        ("exit-at-start", {}, "died"),
        ("no-handshake", {}, "protocol"),
    ],
)
async def test_failures_are_classified_and_keep_what_was_known(
    database: Database, tmp_path: Path, mode: str, short: dict[str, int], failure_class: str
) -> None:
    limits = SETTINGS.upstream.model_copy(update=short)
    settings = SETTINGS.model_copy(update={"upstream": limits})
    async with open_catalog(database, tmp_path, settings) as catalog:
        refresh = await catalog.add_spec(rude_spec(mode))
        beside = await catalog.offer("fine", [tool("a")])

        failed, fine = await catalog.carried_out(refresh, beside)

    assert (failed["status"], failed["failure_class"]) == ("failed", failure_class)
    assert "rude" in failed["failure"]
    assert fine["status"] == "done"
    assert catalog.rows("select status from catalog.origin where name = 'rude'") == [("failing",)]


@pytest.mark.anyio
async def test_a_list_without_an_end_is_stored_with_a_warning(catalog: Catalog) -> None:
    row = await catalog.carry_out(await catalog.add_spec(rude_spec("endless")))

    assert (row["status"], row["added"]) == ("done", 1)
    [warning] = row["warnings"]
    assert "repeats" in warning
    [shown] = catalog.rows("select warnings from catalog.refresh")
    assert shown == ([warning],)


@pytest.mark.anyio
async def test_a_server_that_announces_a_change_after_each_listing_is_listed_ever_more_rarely(
    catalog: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(announced, "FIRST_PAUSE_S", 0.01)
    pauses: list[float] = []
    paces = catalog.service.upstreams.origins.announced

    async def is_slowed() -> bool:
        """Returns whether the pause has grown four times."""
        pause_s = paces.pause_s(1)
        if not pauses or pauses[-1] != pause_s:
            pauses.append(pause_s)
        return len(pauses) >= 5

    await catalog.add_spec(rude_spec("announces"))
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(RefreshWorker(catalog.service).run)
        await until(is_slowed)
        tasks.cancel_scope.cancel()

    assert pauses == sorted(pauses)
    refreshes = catalog.rows("select count(*) from catalog.refresh")[0][0]
    # Without a pause, there would be as many as the machine can do.
    assert refreshes <= 2 * len(pauses)


@pytest.mark.anyio
async def test_what_an_upstream_offered_stays_when_it_fails(catalog: Catalog) -> None:
    await catalog.carry_out(await catalog.offer("frail", [tool("a")]))
    catalog.write_offer("frail", [tool("b")]).write_text("not JSON")
    await catalog.service.upstreams.supervisor.close("frail")

    row = await catalog.carry_out(await catalog.request("frail"))

    assert (row["status"], row["failure_class"]) == ("failed", "died")
    live = "select name from catalog.item where kind = 'tool' and deprecated_at is null"
    assert catalog.rows(live) == [("a",)]


@pytest.mark.anyio
async def test_credentials_are_used_and_their_lack_is_told(catalog: Catalog) -> None:
    with leaf_server("http", "token") as server:
        spec = server.spec()
        without = await catalog.carry_out(
            await catalog.add("closed", transport="http", url=spec.url)
        )
        definition = {"name": "closed", "transport": "http", "url": spec.url}
        definition |= {"auth_reference": "secret:closed/token", "replace": True}
        await add_origin(catalog.service, **definition)
        unset = await catalog.carry_out(await catalog.request("closed"))
        (catalog.service.data_dir / "secrets.json").write_text(
            '{"closed/token": "cnryQm7x-let-me-in"}'
        )
        given = await catalog.carry_out(await catalog.request("closed"))

    assert [row["failure_class"] for row in (without, unset, given)] == ["auth", "auth", None]
    assert "secret:closed/token" in unset["failure"]
    assert "qm secret set closed/token" in unset["failure"]
    assert given["added"] > 0


@pytest.mark.anyio
async def test_a_server_that_comes_up_late_is_tried_again(
    database: Database, tmp_path: Path
) -> None:
    settings = SETTINGS.model_copy(update={"ingest": IngestSettings(retries=6)})
    with leaf_server("http") as first:
        port = first.port
    async with (
        open_catalog(database, tmp_path, settings) as catalog,
        anyio.create_task_group() as t,
    ):
        refresh = await catalog.add("late", transport="http", url=f"http://127.0.0.1:{port}/mcp")
        t.start_soon(RefreshWorker(catalog.service).run)
        states = catalog.service.upstreams.supervisor.states
        await until(lambda: "late" in states() and states()["late"].state == "down")
        with leaf_server("http", str(port)):
            row = await catalog.finished(refresh)
        t.cancel_scope.cancel()

    assert row["status"] == "done"


@pytest.mark.anyio
async def test_two_services_never_take_the_same_refresh(database: Database, tmp_path: Path) -> None:
    async with open_catalog(database, tmp_path) as one, open_catalog(database, tmp_path) as other:
        names = [f"origin{number}" for number in range(8)]
        refreshes = [await one.offer(name, [tool("a")]) for name in names]
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(RefreshWorker(one.service).run)
            tasks.start_soon(RefreshWorker(other.service).run)
            rows = [await one.finished(refresh) for refresh in refreshes]
            tasks.cancel_scope.cancel()

    assert [row["status"] for row in rows] == ["done"] * len(names)
    assert [one.listings(name) for name in names] == [1] * len(names)


@pytest.mark.anyio
async def test_a_change_announced_while_the_list_is_read_is_read_afterwards(
    catalog: Catalog,
) -> None:
    refresh = await catalog.offer("busy", [tool("a")])
    service = catalog.service
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(RefreshWorker(service).run)
        await until(lambda: "busy" in service.upstreams.supervisor.states())
        origin_id = catalog.rows("select id from catalog.origin where name = 'busy'")[0][0]
        # The queue takes the announcement for the refresh that is already running.
        await service.upstreams.origins.request_refresh(
            await service.upstreams.origins.spec(origin_id)
        )
        await catalog.finished(refresh)
        await until(lambda: catalog.listings("busy") == 2)
        tasks.cancel_scope.cancel()


@pytest.mark.anyio
async def test_a_refresh_survives_the_loss_of_the_database(catalog: Catalog) -> None:
    # They take several statements to store.
    refresh = await catalog.offer("many", [tool(f"tool_{number}") for number in range(1500)])
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(RefreshWorker(catalog.service).run)
        await until(lambda: catalog.rows("select count(*) > 0 from catalog.item") == [(True,)])
        catalog.end_connections()
        status = "select status <> 'running' from catalog.refresh"
        await until(lambda: catalog.rows(status) == [(True,)])
        tasks.cancel_scope.cancel()

    assert catalog.rows("select status from catalog.refresh where id = %s", refresh) == [("done",)]
    tools = "select count(*) from catalog.item where kind = 'tool'"
    assert catalog.rows(tools) == [(1500,)]
