begin;
select plan(9);

select t.make_principal('alice'), t.make_principal('op', 'operator'), t.make_origin('o'), t.make_origin('file', 'none');
update catalog.origin set status = 'ready';
select p.outcome from t.put_tools(
    (
        select jsonb_agg(jsonb_build_object('origin', v.origin, 'name', v.name, 'annotations', v.annotations::jsonb, 'examples', '[{"a": 1}]'::jsonb))
        from (
            values
            ('o', 'reads', '{"readOnlyHint": true}'),
            ('o', 'destroys', '{"readOnlyHint": true, "destructiveHint": true}'),
            ('o', 'counts', '{"readOnlyHint": true, "idempotentHint": false}'),
            ('o', 'writes', '{}'),
            ('file', 'unconnected', '{"readOnlyHint": true}')
        ) as v (origin, name, annotations)
    ) || '[{"origin": "o", "name": "bare", "annotations": {"readOnlyHint": true}}]'
) as p;
select t.act_as('alice');
select throws_ok($$select * from service.claim_probes()$$, '42501', null, 'a user may not');
select t.act_as('op', 'qm_operator');
select is_empty($$select * from service.claim_probes()$$, 'by default none is run unasked');
select is(api.request_probe('o__reads'), 1, 'asked for');
select results_eq($$select c.name, c.examples from service.claim_probes() as c$$, $$values ('o__reads', '[{"a": 1}]'::jsonb)$$, 'it is');
select is_empty($$select * from service.claim_probes()$$, 'once');
select t.act_as_superuser();
update core.setting set value = '"1 day"' where name = 'probe.interval';
delete from calls.probe_turn;
select t.act_as('op', 'qm_operator');
select results_eq($$select c.name from service.claim_probes() as c$$, array['o__reads'], 'whose turn it is');
select is_empty($$select * from service.claim_probes()$$, 'once');
select t.at(now() + interval '25 hours');
select results_eq($$select c.name from service.claim_probes() as c$$, array['o__reads'], 'until the next turn');
select t.at(now() + interval '100 hours');
select api.decide_item('{tool}', 'o__reads', 'quarantined');
select is_empty($$select * from service.claim_probes()$$, 'not what is withheld');

select * from finish();
rollback;
