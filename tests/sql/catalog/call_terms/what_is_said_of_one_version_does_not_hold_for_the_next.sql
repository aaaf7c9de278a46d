begin;
select plan(11);

select t.make_catalog(), t.make_principal('op', 'operator');
create temporary table what as select x.id from catalog.item as x where x.public_name = 'time__convert_time';
grant select on what to public;
create function pg_temp.terms() returns jsonb language sql as 'select catalog.call_terms((select w.id from what as w))';
update catalog.item as x set definition = jsonb_set(x.definition, '{annotations}', '{}') where x.id = (select w.id from what as w);
select is(pg_temp.terms() -> 'may_repeat', 'false', 'what nobody says is harmless is not repeated');
update catalog.item as x set definition = jsonb_set(x.definition, '{annotations}', '{"idempotentHint": true}') where x.id = (select w.id from what as w);
select is(pg_temp.terms() -> 'may_repeat', 'true', 'what calls itself idempotent is');
select is(pg_temp.terms() -> 'is_read_only', 'false', 'though it does not only read');
update catalog.item as x set definition = jsonb_set(x.definition, '{annotations}', '{"readOnlyHint": true}'), dishonesty = 0.2 where x.id = (select w.id from what as w);
select is(pg_temp.terms() -> 'may_repeat', 'false', 'but not if probes have shown it to be untrue');
update catalog.item as x set dishonesty = 0 where x.id = (select w.id from what as w);
update catalog.item as x
set definition = jsonb_set(x.definition, '{annotations}', '{"readOnlyHint": true, "idempotentHint": true, "destructiveHint": true}')
where x.id = (select w.id from what as w);
select is(pg_temp.terms() -> 'may_repeat', 'false', 'nor if they contradict each other');
update catalog.item as x set definition = jsonb_set(x.definition, '{annotations}', '{"readOnlyHint": true}') where x.id = (select w.id from what as w);
update core.setting as s set value = s.value || '{"believes": false}' where s.name = 'call.terms';
select is(pg_temp.terms() -> 'may_repeat', 'false', 'nor if such claims are not believed');
select t.act_as('op', 'qm_operator');
select api.set_terms('time__convert_time', '{"is_read_only": true, "cache_s": 60, "timeout_s": 5, "key_argument": "token"}');
select t.act_as_superuser();
select ok(pg_temp.terms() @> '{"may_repeat": true, "cache_s": 60, "key_argument": "token"}', 'an operator''s word counts');
update catalog.item as x set version = 2 where x.id = (select w.id from what as w);
select ok(pg_temp.terms() @> '{"may_repeat": false, "cache_s": null, "timeout_s": 5}', 'for this version; budgets stay');
select ok(not pg_temp.terms() ? 'key_argument', 'and the key is asked anew');
select is(pg_temp.terms() -> 'attempts', '3', 'the rest is as the setting says');
select is(catalog.call_terms(-1), null, 'of no tool there is nothing');

select * from finish();
rollback;
