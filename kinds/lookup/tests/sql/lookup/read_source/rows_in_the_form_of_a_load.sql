begin;
select plan(3);

select t.make_source('herb');
select bag_eq(
    $$select r.id, r.value, r.aliases, r.language, r.active, r.properties, r.provenance
    from jsonb_to_recordset(lookup.read_source(t.lookup_id('herb'), null)) as r (id text, value text, aliases text[], language text, active boolean, properties jsonb, provenance jsonb)$$,
    $$values ('1', 'Betula pendula', '{Betula alba,silver birch}'::text[], 'la', true, '{"family": "Betulaceae"}'::jsonb, '{"source": "public.herb"}'::jsonb),
        ('2', 'Poa annua', null, null, false, null, '{"source": "public.herb"}')$$, 'those with a value'
);
select is(jsonb_array_length(lookup.read_source(t.lookup_id('herb'), '{1,3}')), 1, 'or those of the given keys');
alter table public.herb drop column family;
select throws_ok($$select lookup.read_source(t.lookup_id('herb'), null)$$, 'QM422', 'the table public.herb has no column family', 'a column that is gone');

select * from finish();
rollback;
