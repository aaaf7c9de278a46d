"""A registry's list of servers fills the catalog without connecting anything."""

from __future__ import annotations

from quartermaster.catalog.importers.registry_dump import is_registry_dump, read_servers

DUMP = {
    "servers": [
        {
            "server": {
                "name": "io.example/weather",
                "description": "Forecasts",
                "version": "1.0",
                "remotes": [{"type": "sse", "url": "https://w.example/sse"}],
            },
            "_meta": {"x": 1},
        },
        {"name": "flat", "description": "A flat one"},
        {"server": {"description": "nameless"}},
    ],
    "metadata": {"count": 3},
}


def test_servers_become_entries_without_a_connection() -> None:
    origins, rejected = read_servers(DUMP)

    assert [origin.arguments for origin in origins] == [
        {
            "name": "io.example/weather",
            "transport": "none",
            "description": "Forecasts",
            "meta": {
                "registry": {
                    "version": "1.0",
                    "remotes": [{"type": "sse", "url": "https://w.example/sse"}],
                }
            },
        },
        {
            "name": "flat",
            "transport": "none",
            "description": "A flat one",
            "meta": {"registry": {}},
        },
    ]
    assert rejected == {"number 3": "expected {name, description}"}


def test_a_dump_is_not_mistaken_for_a_configuration() -> None:
    assert is_registry_dump(DUMP)
    assert not is_registry_dump({"servers": {"a": {"command": "b"}}})
    assert not is_registry_dump([])
