begin;
select plan(4);

select t.make_lookups(), t.make_principal('alice'), t.make_principal('bob');
select t.make_rules('{"rules": [{"effect": "deny", "subject": "principal:bob", "origins": ["place"]}]}');
select t.act_as('bob', 'qm_user');
select is(jsonb_path_query_array(api.describe_reconciliation(), '$.tables[*].name'), '["plant"]', 'only what may be seen');
select throws_ok($$select api.describe_reconciliation('place')$$, 'QM404', null, 'a hidden one is none');
select t.act_as('alice', 'qm_user');
select is(jsonb_path_query_array(api.describe_reconciliation(), '$.tables[*].name'), '["place", "plant"]', 'all');
select is(
    api.describe_reconciliation('plant'),
    '{"max_batch": 1000, "tables": [{"name": "plant", "description": "Plants by their Latin names", "domain": "botany", "rows": 6, "properties": ["author", "family"]}]}',
    'one'
);

select * from finish();
rollback;
