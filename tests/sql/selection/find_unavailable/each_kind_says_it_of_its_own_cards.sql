begin;
select plan(3);

select t.make_catalog(), t.make_kind('test_kind'), t.make_principal('alice');
select t.make_card('test_kind', 1, 'a card', 'a card');
update catalog.origin set transport = 'none', command = '{}' where name = 'time';
create function pg_temp.told(p_kind text) returns table (name text, reason text) language sql as $$
    select c.name, f.reason
    from selection.find_unavailable(p_kind, array(select x.ref from search.card as x where x.kind = p_kind)) as f
    inner join search.card as c on c.kind = p_kind and c.ref = f.ref
    order by c.name;
$$;
select t.read_as('alice');
select results_eq(
    $$select x.name, x.reason from pg_temp.told('tool') as x$$,
    $$values ('time__convert_time', 'the server is in the catalog, but not connected'), ('time__get_current_time', 'the server is in the catalog, but not connected')$$,
    'by the function of the kind'
);
select is_empty($$select * from pg_temp.told('test_kind')$$, 'cards of a kind without such a function can always be used');
select is(
    (select array_agg(f.until) from selection.find_unavailable('tool', array(select c.ref from search.card as c where c.name = 'time__convert_time')) as f),
    '{null}', 'what is not known is null'
);

select * from finish();
rollback;
