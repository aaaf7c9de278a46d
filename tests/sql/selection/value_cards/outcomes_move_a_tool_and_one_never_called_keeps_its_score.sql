begin;
select plan(8);

select t.make_catalog(), t.make_principal('alice');
create temporary table card as select c.id, c.ref, c.name from search.card as c where c.kind = 'tool' order by c.id;
grant select on card to public;
create function pg_temp.found(p_score real) returns search.found[] language sql as $$
    select array_agg(row(x.id, p_score, 0, 0, 0, '{}', '{}', null, null)::search.found order by x.id) from card as x;
$$;
create function pg_temp.valued(p_mode jsonb) returns table (name text, value numeric) language sql as $$
    select c.name, round(v.value::numeric, 3)
    from card as c
    inner join selection.value_cards(
        '{tool}', pg_temp.found(0.5), null,
        jsonb_populate_record(selection.require_mode('balanced'), p_mode)
    ) as v on v.card_id = c.id
    order by v.value desc, c.id;
$$;
select throws_ok($$select t.read_as(null), pg_temp.valued('{}')$$, 'QM403', null, 'nobody sees no card');
select t.read_as('alice');
select is((select array_agg(v.value) from pg_temp.valued('{}') as v), '{0.500, 0.500, 0.500, 0.500}', 'nothing is known: scores stay');
select t.act_as_superuser();
insert into selection.utility (kind, ref, calls, successes, success_rate, p95_ms, success_gain, latency_loss, refreshed_at)
select 'tool', c.ref, 9, 9, 0.9, 10, case c.name when 'time__convert_time' then 0.4 else -0.4 end, 0.1, now()
from card as c where c.name in ('time__convert_time', 'tracker__listTickets');
update catalog.item set definition = jsonb_set(definition, '{annotations}', '{"readOnlyHint": true, "openWorldHint": false}') where public_name = 'tracker__create_ticket';
select catalog.show_items(array_agg(x.id)) from catalog.item as x;
select t.read_as('alice');
select results_eq(
    $$select * from pg_temp.valued('{"weight_success": 0.5, "weight_latency": 0}')$$,
    $$values ('time__convert_time', 0.700), ('time__get_current_time', 0.500), ('tracker__create_ticket', 0.500), ('tracker__listTickets', 0.300)$$,
    'success lifts, failure sinks, the rest stays'
);
select results_eq($$select v.value from pg_temp.valued('{"weight_success": 0, "weight_latency": 1}') as v$$, $$values (0.500), (0.500), (0.400), (0.400)$$, 'slowness costs');
select results_eq($$select * from pg_temp.valued('{"weight_success": 0, "weight_latency": 0, "weight_risk": 0.2}') as v limit 1$$, $$values ('tracker__create_ticket', 0.500)$$, 'risk costs those who may do harm');
select is((select array_agg(v.value) from pg_temp.valued('{"weight_success": 0, "weight_latency": 0, "weight_score": 2}') as v), '{1.000, 1.000, 1.000, 1.000}', 'the score''s own weight');
select is_empty($$select * from selection.value_cards('{other}', pg_temp.found(1), null, selection.require_mode('fast'))$$, 'cards of another kind are none of it');
select t.act_as_superuser();
select t.make_rules('{"rules": [{"effect": "deny", "subject": "everyone", "names": "tracker__*"}]}');
select t.read_as('alice');
select results_eq($$select x.name from pg_temp.valued('{}') as x order by x.name$$, $$values ('time__convert_time'), ('time__get_current_time')$$, 'what a rule hides is left out');

select * from finish();
rollback;
