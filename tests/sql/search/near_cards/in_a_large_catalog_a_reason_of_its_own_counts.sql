begin;
select plan(6);

-- Four cards are alike, and a fifth, a little farther from the goal, is like none of them.
create temporary table given as
select
    n as ref,
    case when n < 5 then format('[0.80, 0.60, %s]', 0.02 * n) else '[0.78, 0, 0.626]' end as vector
from generate_series(1, 5) as n;

-- Two cards of servers: the nearer one is one of twenty, whose others are far.
insert into given
select
    n as ref,
    case n when 11 then '[0.02, 0.80, 0.60]' when 31 then '[0.02, 0.76, 0.65]' else '[0, -1, 0]' end as vector
from generate_series(11, 31) as n;

select t.make_kind('near');
select search.put_cards('near', jsonb_agg(jsonb_build_object(
    'ref', g.ref, 'name', 'card' || g.ref, 'fields', jsonb_build_array('x' || g.ref),
    'origin', case when g.ref < 11 then '' when g.ref < 31 then 'many' else 'few' end
))) from given as g;
select search.put_model('test-3', 3, true);
select search.store_embeddings('test-3', array_agg('near'::text), array_agg(c.text_hash), array_agg(ext.l2_normalize(g.vector::ext.vector)::text))
from search.card as c inner join given as g on g.ref = c.ref
where c.kind = 'near';

create function pg_temp.near(p_vector ext.vector, p_limit integer, p_large float8)
returns bigint []
language sql security definer
as $$
    select array_agg(t.ref_of(n.card_id) order by n.position)
    from search.near_cards('near', p_vector, p_limit, p_large, 40) with ordinality as n (card_id, position);
$$;

select is(pg_temp.near('[1, 0, 0]', 2, 0), '{1, 2}', 'in a small catalog, the nearest');
select is(pg_temp.near('[1, 0, 0]', 2, 1), '{5, 1}', 'in a large one, what is near and unlike the others comes first');
select is(pg_temp.near('[1, 0, 0]', 1, 1), '{1}', 'but only if it is among the two and a half times as many that are looked at');
select is(pg_temp.near('[0, 0.8, 0.6]', 1, 0), '{11}', 'in a small catalog, the size of a server does not count');
select is(pg_temp.near('[0, 0.8, 0.6]', 1, 1), '{31}', 'in a large one, a card of a small server comes before a nearer one of a large server');

select t.make_rules('{"rules": [{"effect": "deny", "subject": "everyone", "names": "hidden"}]}');
update search.card set name = 'hidden' where kind = 'near' and ref between 12 and 30;
select t.make_principal('reader');
select t.act_as('reader');
select is(pg_temp.near('[0, 0.8, 0.6]', 1, 1), '{11}', 'cards that the caller may not see do not count');

select * from finish();
rollback;
