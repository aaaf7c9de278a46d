begin;
select plan(1);

select t.make_kind('rare');
select search.put_cards('rare', (select jsonb_agg(jsonb_build_object('ref', n, 'name', 'c' || n, 'fields', jsonb_build_array('x' || n))) from generate_series(1, 600) as n));
select search.put_model('test-16', 16, true);
select search.store_embeddings('test-16', array_agg('rare'::text), array_agg(c.text_hash), array_agg(v.vector))
from search.card as c
cross join lateral (select ext.l2_normalize(array_agg((c.ref * 0 + sin(c.ref * i * 12.9898) * 0.5)::real order by i)::ext.vector)::text as vector from generate_series(1, 16) as i) as v
where c.kind = 'rare';
create or replace function policy.is_visible(p_kind text, p_ref bigint, p_principal_id bigint)
returns boolean
language sql
immutable parallel safe security invoker
as $$
    select p_kind is not null and p_ref % 60 = 0 and p_principal_id is not null;
$$;
set local enable_seqscan = off;
select is((select count(*) from search.dense('rare', t.unit_vector(16, 1), 10, 10)), 10::bigint, 'all ten that may be seen out of six hundred');

select * from finish();
rollback;
