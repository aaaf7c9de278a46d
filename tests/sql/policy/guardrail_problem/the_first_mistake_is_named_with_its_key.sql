begin;
select plan(8);

create function pg_temp.wrong(p_guardrail jsonb) returns text language sql as $$
    select coalesce(w.key, 'guardrail') || ': ' || w.problem from policy.guardrail_problem(p_guardrail) as w where w.problem is not null;
$$;
select is(left(pg_temp.wrong('[]'), 10), 'guardrail:', 'no object');
select is(left(pg_temp.wrong('{"subject": "role:root"}'), 8), 'subject:', 'an unknown role');
select is(left(pg_temp.wrong('{"subject": "everyone", "secret": "mask"}'), 7), 'secret:', 'an unknown key');
select is(pg_temp.wrong('{"subject": "everyone", "secrets": "hide"}'), 'secrets: expected deliver, mark or mask', 'an unknown deed');
select is(pg_temp.wrong('{"subject": "everyone", "personal": null}'), 'personal: expected deliver, mark or mask', 'no deed');
select is(left(pg_temp.wrong('{"subject": "everyone", "origins": 5}'), 8), 'origins:', 'origins are names');
select is(left(pg_temp.wrong('{"subject": "everyone", "result_bytes": 0}'), 13), 'result_bytes:', 'a size is positive');
select is(pg_temp.wrong('{"subject": "everyone", "origins": ["web*"], "instructions": "mark", "secrets": "mask", "result_bytes": 1000}'), null, 'a guardrail that says everything is right');

select * from finish();
rollback;
