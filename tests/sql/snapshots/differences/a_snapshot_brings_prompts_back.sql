begin;
select plan(14);

select t.make_assets(), t.make_principal('op', 'operator'), t.make_principal('root', 'admin');
create function pg_temp.take(p_name text) returns bigint language sql as $$
    select snapshots.put_snapshot(p_name, '', policy.find_principal('root'));
$$;
create function pg_temp.changes(p_before text, p_after text default null) returns setof text language sql as $$
    select concat_ws(',', d.change, d.kind, d.name, d.from_version, d.to_version) from api.diff_snapshots(p_before, p_after) as d;
$$;
select pg_temp.take('monday');
select is((select s.items from snapshots.snapshot as s), '{"prompt": 1, "resource": 3, "resource_template": 1}', 'how many');
select is((select s.manifest::jsonb #>> '{items,resource}' from snapshots.snapshot as s), '3', 'which is signed');
select is_empty($$select f.* from snapshots.faults(snapshots.require_snapshot('monday')) as f$$, 'it is whole');
select t.put_items('prompt', 'first', '[{"name": "greet", "title": "Hello"}, {"name": "leave"}]');
select catalog.decide_items(array(select a.id from catalog.item as a where a.name = 'memo://secret/key'), 'deprecated', '', policy.find_principal('root'));
select catalog.decide_items(array(select a.id from catalog.item as a where a.name = 'greet'), 'approved', '', policy.find_principal('root'));
select t.act_as('root', 'qm_admin');
select results_eq(
    $$select pg_temp.changes('monday')$$,
    array['added,prompt,first__leave,1', 'changed,prompt,first__greet,1,2', 'removed,resource,memo://secret/key,1'], 'against now'
);
select results_eq(
    $$select a.restored, a.returned, a.withdrawn, a.unavailable from api.activate_snapshot('monday', dry_run => true) as a$$,
    $$values (1::bigint, 1::bigint, 1::bigint, 0::bigint)$$, 'what would happen'
);
select is((select count(*) from api.list_items('prompt')), 2::bigint, 'nothing has');
select is((select a.undo from api.activate_snapshot('monday') as a), 'before-1', 'back to monday');
select is_empty($$select pg_temp.changes('monday')$$, 'everything is as it was');
select results_eq($$select l.name, l.definition from api.list_items('prompt') as l$$, $$values ('first__greet', '{"name": "greet"}'::jsonb)$$, 'as it was listed then');
select is((select count(*) from api.list_items('resource')), 3::bigint, 'what was gone is back');
select api.activate_snapshot('before-1');
select is((select count(*) from api.list_items('prompt')), 2::bigint, 'and undone');
select t.act_as_superuser();
select pg_temp.take('tuesday');
select is_empty($$select pg_temp.changes('before-1', 'tuesday')$$, 'against another');
update catalog.item_version set definition = '{}' where item_id = (select a.id from catalog.item as a where a.name = 'leave');
select results_eq(
    $$select f.name from snapshots.faults(snapshots.require_snapshot('tuesday')) as f$$, array['prompt first__leave'], 'what was meddled with is found'
);
update snapshots.member set definition_hash = sha256('') where snapshot_id = snapshots.require_snapshot('tuesday') and version = 1;
select ok('tuesday' in (select f.name from snapshots.faults(snapshots.require_snapshot('tuesday')) as f), 'the list itself, too');

select * from finish();
rollback;
