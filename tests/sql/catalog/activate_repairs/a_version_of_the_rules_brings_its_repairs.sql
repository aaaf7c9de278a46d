begin;
select plan(13);

select t.make_catalog(), t.make_principal('boss', 'admin');
create function pg_temp.titles() returns jsonb language sql as $$
    select jsonb_strip_nulls(jsonb_object_agg(i.name, i.definition ->> 'title')) from catalog.item as i;
$$;
select t.read_as('boss', 'qm_admin');
select api.repair_tool('time__convert_time', '{"title": "By hand"}');
select is(api.apply_rules('{"rules": [], "note": "nothing about repairs"}') -> 'repairs', '[]', 'a version without repairs');
select t.act_as_superuser();
select is(pg_temp.titles(), '{"convert_time": "By hand"}', 'changes none');
select t.read_as('boss', 'qm_admin');
select is(
    api.apply_rules('{"rules": [], "repairs": [{"origin": "tracker", "tool": "create_ticket", "title": "Open a ticket"}, {"origin": "tracker", "tool": "later", "title": "X"}]}') -> 'repairs',
    '[{"tool": "time__convert_time", "member": "title", "before": "By hand", "after": null},
      {"tool": "tracker__create_ticket", "member": "title", "before": null, "after": "Open a ticket"}]',
    'what changes is told'
);
select t.act_as_superuser();
select is(pg_temp.titles(), '{"create_ticket": "Open a ticket"}', 'its repairs are current, and all others are taken back');
select t.make_all_tools('[{"origin": "tracker", "name": "later", "description": "Wait.", "input_schema": {"type": "object"}}]');
select is(pg_temp.titles() ->> 'later', 'X', 'also for a tool that arrives later');
select t.read_as('boss', 'qm_admin');
select api.repair_tool('tracker__create_ticket', '{"title": "By hand again"}');
select isnt_empty($$select api.activate_rules()$$, 'a rollback');
select t.act_as_superuser();
select is(pg_temp.titles(), '{"convert_time": "By hand"}', 'brings back what was there');
select t.read_as('boss', 'qm_admin');
select api.activate_rules();
select t.act_as_superuser();
select is(pg_temp.titles(), '{"create_ticket": "By hand again", "later": "X"}', 'and forth again, with what was repaired by hand');
select t.read_as('boss', 'qm_admin');
select throws_ok($$select api.apply_rules('{"rules": [], "repairs": [{"origin": "nowhere"}]}')$$, 'QM422', null, 'mistakes change nothing');
select throws_ok($$select api.apply_rules('{"repairs": []}')$$, 'QM422', null, 'repairs alone would delete all rules');
select api.apply_rules('{"rules": [], "repairs": [{"origin": "tracker", "tool": "create_ticket", "name": "open"}]}');
select is(
    jsonb_path_query_array(
        api.apply_rules('{"rules": [], "repairs": [{"origin": "tracker", "tool": "listTickets", "name": "open"}]}') -> 'repairs',
        '$[*].tool'
    ),
    '["tracker__create_ticket", "tracker__open"]', 'a name goes from one tool to another'
);
select t.act_as_superuser();
select results_eq(
    $$select i.public_name from catalog.item as i where i.name in ('create_ticket', 'listTickets') order by i.name$$,
    array['tracker__create_ticket', 'tracker__open'], 'in one step'
);
select results_eq(
    $$select count(*) from catalog.repair as r where r.is_current group by r.origin_id, r.tool having count(*) <> 1$$,
    array[]::bigint[], 'each repair has one current version'
);

select * from finish();
rollback;
