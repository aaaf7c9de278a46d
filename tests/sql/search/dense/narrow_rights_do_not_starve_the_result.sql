begin;
select plan(1);

select t.make_kind('rare');
select search.put_cards('rare', (select jsonb_agg(jsonb_build_object('ref', n, 'name', 'c' || n, 'fields', jsonb_build_array('x' || n))) from generate_series(1, 600) as n));
select search.put_model('test-16', 16, true);
select search.store_embeddings('test-16', array_agg('rare'::text), array_agg(c.text_hash), array_agg(v.vector))
from search.card as c
cross join lateral (select ext.l2_normalize(array_agg((c.ref * 0 + sin(c.ref * i * 12.9898) * 0.5)::real order by i)::ext.vector)::text as vector from generate_series(1, 16) as i) as v
where c.kind = 'rare';
select t.make_rules('{"rules": [{"effect": "deny", "subject": "everyone", "names": "hidden*"}]}');
update search.card set name = 'hidden' where kind = 'rare' and ref % 60 <> 0;
set local enable_seqscan = off;
select is((select count(*) from search.dense('rare', t.unit_vector(16, 1), 10, 10)), 10::bigint, 'all ten that may be seen out of six hundred');

select * from finish();
rollback;
