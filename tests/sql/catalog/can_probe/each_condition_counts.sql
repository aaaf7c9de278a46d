begin;
select plan(8);

select t.make_catalog();
create function pg_temp.can() returns boolean language sql as $$ select catalog.can_probe(t.id) from catalog.item as t where t.name = 'convert_time'; $$;
update catalog.origin set status = 'ready';
update catalog.item set definition = definition || '{"annotations": {"readOnlyHint": true}, "examples": [{}]}' where name = 'convert_time';
select ok(pg_temp.can(), 'reads only, has examples, is connected and live');
update catalog.item set definition = jsonb_set(definition, '{annotations}', '{"readOnlyHint": true, "destructiveHint": true}');
select ok(not pg_temp.can(), 'says that it destroys');
update catalog.item set definition = jsonb_set(definition, '{annotations}', '{"readOnlyHint": true, "idempotentHint": false}');
select ok(not pg_temp.can(), 'says that twice is not once');
update catalog.item set definition = jsonb_set(definition, '{annotations}', '{"readOnlyHint": false}');
select ok(not pg_temp.can(), 'writes');
update catalog.item set definition = definition || '{"annotations": {"readOnlyHint": true}, "examples": []}';
select ok(not pg_temp.can(), 'has no examples');
update catalog.item set definition = jsonb_set(definition, '{examples}', '[{}]'), status = 'pending';
select ok(not pg_temp.can(), 'waits');
update catalog.item set status = 'approved';
update catalog.origin set status = 'failing';
select ok(not pg_temp.can(), 'its origin fails');
select ok(not catalog.can_probe(-1), 'is not there');

select * from finish();
rollback;
