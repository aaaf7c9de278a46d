-- A small lookup table of plants, one of them retired, and one of places.
create function t.make_lookups() returns void language sql as $$
select lookup.put_rows(lookup.put_table('plant', 'Plants by their Latin names', 'botany'), '[
    {"id": "1", "value": "Betula pendula", "aliases": ["vårtbjörk"], "language": "la", "properties": {"family": "Betulaceae", "author": "Roth"}},
    {"id": "2", "value": "Betula nana", "language": "la", "properties": {"family": "Betulaceae"}},
    {"id": "3", "value": "Bromus pendula", "language": "la", "properties": {"family": "Poaceae"}},
    {"id": "4", "value": "Betula alba", "active": false, "properties": {"family": "Betulaceae"}},
    {"id": "5", "value": "Magnetic susceptibility", "language": "en"},
    {"id": "6", "value": "Salix repens", "domain": "shrubs"}
]', true);
select lookup.put_rows(lookup.put_table('place', 'Places', null), '[{"id": "1", "value": "Umeå"}, {"id": "2", "value": "Luleå"}]', true);
$$;
