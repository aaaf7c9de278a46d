begin;
select plan(4);

select t.make_lookups(), t.make_principal('alice');
create function pg_temp.found(p_query text, p_scope jsonb default '{}') returns text[] language sql security definer as $$
    select array_agg(c.label order by c.label)
    from lookup.candidates(row('lookup', p_query, null, 0, 0, 30, 0, p_scope || jsonb_build_object('table', t.lookup_id('plant')))::search.goal) as c
    where c.sources = '{fuzzy}' and cardinality(c.features) = cardinality(search.feature_names('lookup'))
$$;
select t.act_as('alice');
select is(pg_temp.found('Betula alba'), '{"betula nana","betula pendula","bromus pendula"}', 'names of active rows');
select is(pg_temp.found('Betula alba', '{"active_only": false}'), '{"betula alba","betula nana","betula pendula","bromus pendula"}', 'or of all');
select is(pg_temp.found('Betula alba', '{"domain": "shrubs"}'), null, 'of a domain');
select throws_ok($$select pg_temp.found('Betula', '{"domain": 5}')$$, 'QM422', null, 'a domain is a text');

select * from finish();
rollback;
