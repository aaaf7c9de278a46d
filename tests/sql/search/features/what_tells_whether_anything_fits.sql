begin;
select plan(7);

select t.make_kind('memo');
select search.put_cards('memo', '[
    {"ref": 1, "name": "a", "origin": "one", "fields": ["a"]},
    {"ref": 2, "name": "b", "origin": "one", "fields": ["b"]},
    {"ref": 3, "name": "c", "origin": "two", "fields": ["c"]}
]');
select search.put_model('m', 2, true);
insert into search.common_goal (model, number, vector) values ('m', 1, '[0, 7]'), ('m', 2, '[3, 0]'), ('other', 1, '[1, 1]'), ('m', 3, '[1, 0, 0]');
create function pg_temp.said(p_feature text, variadic p_refs bigint[]) returns numeric[] language sql as $$
    select array_agg(round(f.features[array_position(search.feature_names('memo'), p_feature)]::numeric, 2) order by c.ref)
    from search.features('memo', 'a', '[1, 0]', array(select c.id from search.card as c where c.kind = 'memo' and c.ref = any(p_refs))) as f
    inner join search.card as c on c.id = f.card_id;
$$;
select is(pg_temp.said('origin_dense', 1, 2, 3), '{0,0,0}'::numeric[], 'no vectors yet');
select is(pg_temp.said('common_nearest', 1, 2, 3), '{0,0,0}'::numeric[], 'nor is anything near a common goal');
insert into search.embedding (model_id, kind, text_hash, vector)
select m.id, 'memo', c.text_hash, ('{"[1,0]","[0.6,0.8]","[0.8,0.6]"}'::text[])[c.ref::integer]::ext.vector
from search.card as c cross join search.model as m where c.kind = 'memo' and m.name = 'm';
select is(pg_temp.said('origin_dense', 1, 2, 3), '{0.89,0.89,0.80}'::numeric[], 'the mean of the cards of an origin');
select is(pg_temp.said('origin_dense', 2), '{0.89}'::numeric[], 'also of those that are no candidates');
select is(pg_temp.said('common_nearest', 1, 2, 3), '{1.00,0.80,0.80}'::numeric[], 'the nearest common goal of the same model');
select is(pg_temp.said('common_mean', 1, 2, 3), '{0.50,0.70,0.70}'::numeric[], 'the mean of the common goals');
select t.make_rules('{"rules": [{"effect": "deny", "subject": "everyone", "names": "b"}]}');
select is(pg_temp.said('origin_dense', 1, 3), '{1.00,0.80}'::numeric[], 'a hidden card has no share in the mean');

select * from finish();
rollback;
