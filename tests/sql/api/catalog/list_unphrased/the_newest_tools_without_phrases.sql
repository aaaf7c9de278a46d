begin;
select plan(6);

select t.make_catalog(), t.make_principal('alice'), t.make_principal('bob');
select t.make_rules('{"rules": [{"effect": "deny", "subject": "principal:bob", "tools": "tracker__*"}]}');
select t.make_all_tools('[{"origin": "time", "name": "newest", "title": "N", "description": "Now.", "input_schema": {"type": "object", "properties": {"b": {}, "a": {}}}}]');
update catalog.origin as o set transport = 'http' where o.name in ('time', 'tracker');
select t.read_as('alice');
select results_eq(
    $$select u.name, u.origin, u.title, u.description, u.arguments from api.list_unphrased(1) as u$$,
    $$values ('time__newest', 'time', 'N', 'Now.', '{a,b}'::text[])$$, 'the newest comes first'
);
select is((select count(*) from api.list_unphrased()), 5::bigint, 'all that have none');
select throws_ok($$select * from api.list_unphrased(51)$$, 'QM422', null, 'not too many');
select t.act_as('alice');
select isnt_empty($$select api.propose_phrases('time__newest', '{what time}')$$, 'a proposal');
select t.read_as('alice');
select is_empty($$select * from api.list_unphrased() as u where u.name = 'time__newest'$$, 'is not asked for again');
select t.read_as('bob');
select is((select count(*) from api.list_unphrased()), 3::bigint, 'what rules hide is left out');

select * from finish();
rollback;
