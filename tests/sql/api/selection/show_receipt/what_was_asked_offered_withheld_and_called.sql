begin;
select plan(7);

select t.make_catalog(), t.make_principal('alice');
select t.act_as('alice');
select api.select_tools('what time is it in Tokyo', top => 1);
select t.act_as_superuser();
insert into calls.call (started_at, principal_id, instance_id, request_id, kind, ref, version, argument_bytes, outcome, ended_at, duration_ms)
select r.created_at, r.principal_id, gen_random_uuid(), 'r', 'tool', (r.offered #>> '{0,ref}')::bigint, 1, 0, 'ok', now(), 5 from selection.receipt as r;
insert into calls.call (started_at, principal_id, instance_id, request_id, receipt_id, kind, ref, version, argument_bytes, outcome, ended_at, duration_ms, failure)
select r.created_at + '1 s', r.principal_id, gen_random_uuid(), 'r', r.id, 'tool', x.id, 1, 0, 'tool_error', now(), 5, 'no such queue'
from selection.receipt as r, catalog.item as x where x.public_name = 'tracker__create_ticket';
update selection.receipt as r set withheld = '{"below_cut": 1, "unlikely": 12, "a_new_rule": 2}', offered = jsonb_set(r.offered, '{0,weak}', 'true');
create function pg_temp.part(p_part text) returns table (at timestamptz, rank integer, name text, score real, outcome text, duration_ms real, text text, detail jsonb) language sql as $$
    select s.at, s.rank, s.name, s.score, s.outcome, s.duration_ms, s.text, s.detail from api.show_receipt(api.last_receipt()) as s where s.part = p_part
$$;
grant execute on all functions in schema pg_temp to public;

select t.act_as('alice');
select results_eq($$select p.name, p.text, p.detail ->> 'kind', p.detail ->> 'mode' from pg_temp.part('asked') as p$$, $$values ('alice', 'what time is it in Tokyo', 'tool', 'balanced')$$, 'who asked what');
select ok(p.at is not null and p.duration_ms > 0 and p.detail -> 'stages' ? 'pool_ms', 'when, and how long the search took') from pg_temp.part('asked') as p;
select results_eq($$select p.rank, p.name, p.text from pg_temp.part('offered') as p$$, $$values (1, 'time__get_current_time', 'It is only one of the nearest.')$$, 'what was offered');
select ok(p.score is not null and p.detail -> 'scores' ? 'lexical', 'with its scores') from pg_temp.part('offered') as p;
select results_eq(
    $$select p.text, p.detail from pg_temp.part('withheld') as p$$, $$values
        ('12 cards: far less probable than the best card', '{"rule": "unlikely", "cards": 12}'::jsonb), ('2 cards: a new rule', '{"rule": "a_new_rule", "cards": 2}'),
        ('1 card: other cards ranked higher', '{"rule": "below_cut", "cards": 1}')$$, 'what was withheld, and why'
);
select results_eq(
    $$select p.rank, p.name, p.outcome, p.duration_ms, p.text from pg_temp.part('called') as p$$,
    $$values (1, 'time__get_current_time', 'ok', 5::real, null), (null, 'tracker__create_ticket', 'tool_error', 5, 'no such queue')$$, 'what was called, also if it was not offered, and how it went'
);
select is((select array_agg(distinct s.part) from api.show_receipt(api.last_receipt()) as s), '{asked,called,offered,withheld}'::text[], 'and nothing else');

select * from finish();
rollback;
