begin;
select plan(5);

select t.make_lookups(), t.make_principal('alice'), t.make_principal('bob');
select t.make_rules('{"rules": [{"effect": "deny", "subject": "principal:bob", "kinds": ["lookup"], "names": ["Betula nana"]}]}');
create function pg_temp.chosen(p_limit integer default 2, p_active_only boolean default true, p_domain text default null) returns text language sql security definer as $$
    select string_agg(g.label, ', ' order by g.place)
    from lookup.glance(
        lookup.read_query('Betula nana', null, jsonb_build_object('table', t.lookup_id('plant'))),
        array(select c.id from search.card as c, generate_series(1, 2) where c.kind = 'lookup' and c.origin = 'plant'), p_limit, p_active_only, p_domain
    ) with ordinality as g (card_id, value, label, words, language, evidence, facts, is_alias, short, stem, initials, cosine, query_share, name_share, semantic, place)
$$;
select t.act_as('alice');
select is(pg_temp.chosen(), 'betula nana, betula pendula', 'the best, each once');
select is(pg_temp.chosen(1), 'betula nana', 'as many as are wanted');
select is(pg_temp.chosen(1, false), 'betula nana, betula alba', 'retired rows have a limit of their own');
select is(pg_temp.chosen(p_domain => 'shrubs'), 'salix repens', 'of a domain');
select t.act_as('bob');
select is(pg_temp.chosen(1), 'betula pendula', 'a hidden name is never chosen');

select * from finish();
rollback;
