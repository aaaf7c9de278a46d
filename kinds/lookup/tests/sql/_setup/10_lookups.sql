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

-- The id of a lookup table, whoever asks.
create function t.lookup_id(p_name text) returns integer language sql stable security definer as $$
select l.id from lookup.lookup_table as l where l.name = p_name;
$$;

-- A table of a user, and an empty lookup table of the same name that lies over it; returns the id of the latter.
create function t.make_source(p_name text, p_follows boolean default false) returns integer language plpgsql as $$
begin
    execute format('create table public.%I (id text, name text, synonyms text, family text, lang text, kept boolean)', p_name);
    execute format('insert into public.%I values ($1, $2, $3, $4, $5, true), ($6, $7, null, null, null, false), ($8, $9, null, null, null, true)', p_name)
    using '1', 'Betula pendula', 'Betula alba|silver birch', 'Betulaceae', 'la', '2', 'Poa annua', '3', ' ';
    insert into lookup.source (table_id, relation, id_column, value_column, alias_columns, property_columns, language_column, active_column, follows, every)
    values (lookup.put_table(p_name, null, null), format('public.%I', p_name), 'id', 'name', '{synonyms}', '{family}', 'lang', 'kept', p_follows, '1 hour');
    return t.lookup_id(p_name);
end
$$;
comment on function t.make_source(text, boolean) is 'Makes a table of a user with three rows, one of them without a value and one inactive, and a lookup table over it that was never refreshed.';
