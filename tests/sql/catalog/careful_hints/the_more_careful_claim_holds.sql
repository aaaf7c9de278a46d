begin;
select plan(12);

select is(catalog.careful_hints(null), null, 'no annotations stay none');
select is(catalog.careful_hints('{"readOnlyHint": true, "title": "a"}'), '{"readOnlyHint": true, "title": "a"}', 'one claim is believed');
select is(
    catalog.careful_hints('{"readOnlyHint": true, "destructiveHint": true, "openWorldHint": false}'),
    '{"readOnlyHint": false, "destructiveHint": true, "openWorldHint": false}', 'of two that contradict each other, the careful one'
);
select is(catalog.traits('{"readOnlyHint": true, "destructiveHint": true}'), '{destructive}', 'rules treat such a tool as destructive');
select is(catalog.traits('{"readOnlyHint": true, "destructiveHint": false}'), '{read_only}', 'and one that agrees with itself as read-only');
select is(catalog.tool_destroys('delete_file', '{"readOnlyHint": true, "destructiveHint": true}'), 'delet', 'the word in its name counts');
select is(catalog.tool_destroys('delete_file', '{"readOnlyHint": true}'), null, 'which it does not if the tool declares itself harmless');
select is(
    (
        catalog.tool_card(1, 'o__t', 'o', '', catalog.tool_definition('{"name": "t", "annotations": {"readOnlyHint": true, "destructiveHint": true}}'))
        ->> 'risk'
    )::numeric, 1.0, 'its risk is that of a destructive tool'
);

select t.make_catalog();
create temporary table what as select x.id from catalog.item as x where x.public_name = 'time__convert_time';
create function pg_temp.may_repeat(p_annotations jsonb) returns jsonb language sql as $$
    update catalog.item as x set definition = jsonb_set(x.definition, '{annotations}', p_annotations) where x.id = (select w.id from what as w);
    select catalog.call_terms((select w.id from what as w)) -> 'may_repeat'
$$;
select is(pg_temp.may_repeat('{"readOnlyHint": true}'), 'true', 'a call that only reads is repeated');
select is(pg_temp.may_repeat('{"readOnlyHint": true, "destructiveHint": true}'), 'false', 'one that may also destroy is not');
select is(pg_temp.may_repeat('{"readOnlyHint": true, "idempotentHint": false}'), 'false', 'nor one that is not idempotent');
select is(pg_temp.may_repeat('{"destructiveHint": true, "idempotentHint": true}'), 'true', 'destroying twice is destroying once');

select * from finish();
rollback;
