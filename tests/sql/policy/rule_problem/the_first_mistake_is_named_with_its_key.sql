begin;
select plan(11);

create function pg_temp.wrong(p_rule jsonb) returns text language sql as $$
    select coalesce(w.key, 'rule') || ': ' || w.problem from policy.rule_problem(p_rule) as w where w.problem is not null;
$$;
select is(pg_temp.wrong('[]'), 'rule: a rule must be an object {effect, subject, ...}', 'no object');
select is(pg_temp.wrong('{"effect": "permit", "subject": "everyone"}'), 'effect: expected "allow" or "deny"', 'an unknown effect');
select is(left(pg_temp.wrong('{"effect": "deny", "subject": "role:root"}'), 9), 'subject: ', 'an unknown role');
select is(pg_temp.wrong('{"effect": "deny", "subject": "principal:nobody here"}'), 'subject: there is no principal called ''nobody here''', 'a principal that is not there');
select is(pg_temp.wrong('{"effect": "deny", "subject": "toolset:nowhere"}'), 'subject: there is no toolset called ''nowhere''', 'nor such a toolset');
select ok(pg_temp.wrong('{"effect": "deny", "subject": "everyone", "named": "x"}') like 'named: ''named'' is not a key; the keys are effect, subject, reason, kinds, %', 'an unknown key');
select is(pg_temp.wrong('{"effect": "deny", "subject": "everyone", "origins": [""]}'), 'origins: expected a name or a list of names', 'an empty name');
select is(pg_temp.wrong('{"effect": "deny", "subject": "everyone", "read_only": "yes"}'), 'read_only: expected true or false', 'no truth value');
select ok(pg_temp.wrong('{"effect": "deny", "subject": "everyone", "tools": "x", "kinds": "tool"}') like 'tools: %', 'tools and kinds');
select is(pg_temp.wrong('{"effect": "deny", "subject": "everyone", "reason": 1}'), 'reason: expected a text', 'a reason is text');
select is(pg_temp.wrong('{"effect": "deny", "subject": "everyone"}'), null, 'a rule that speaks of everything is right');

select * from finish();
rollback;
