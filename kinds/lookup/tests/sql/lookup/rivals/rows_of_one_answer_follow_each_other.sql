begin;
select plan(4);

select t.make_lookups(), t.make_principal('alice');
select lookup.put_rows(t.lookup_id('plant'), '[{"id": "7", "value": "betula NANA"}, {"id": "x1", "value": "Umbellifer"}]', false);
create temporary table learned as select w.score, lookup.places_of(w.features) as places from search.coefficients('lookup', '{default}') as w;
create function pg_temp.rivals(p_query text, p_properties jsonb default null, p_strict boolean default false) returns text language sql security definer as $$
    select string_agg(r.key, ' ' order by r.place) || case when f.has_retired then ' retired' else '' end || case when f.weight > 1 then ' more' else '' end
    from learned as l
    cross join lateral lookup.rivals(
        p_query, null, jsonb_build_object('table', t.lookup_id('plant'), 'active_only', false, 'properties', p_properties), 30, 30, p_strict, l.score, l.places
    ) as f
    cross join lateral unnest(f.rivals) with ordinality as r (
        row_id, key, value, name, language, active, is_key, label, answer, answer_score, names, features, place
    )
    group by f.has_retired, f.weight
$$;
select t.act_as('alice');
select matches(pg_temp.rivals('Betula nana'), '^2 7 .*\m4\M.* retired more$', 'two rows of one name come first, and a retired row competes');
select matches(pg_temp.rivals('x1'), '^x1', 'the id of a row says which');
select is(pg_temp.rivals('pendula', '{"family": "Poaceae"}', true), '3', 'only rows with these properties');
select is(pg_temp.rivals('qqqq'), null, 'nothing in common');

select * from finish();
rollback;
