begin;
select plan(8);

select t.make_project('shop', 'alice');
select t.at('2030-01-01');
create function pg_temp.calls(p_count integer) returns jsonb
language sql as $$
    select t.scans(
        jsonb_build_object(
            'call_sites', (select jsonb_agg(t.finding('missing-attribute', n)) from generate_series(1, p_count) as n),
            'ruff', jsonb_build_array(t.finding('D103', 1, 'low'), t.finding('B018', 20, 'critical'))
        )
    );
$$;

select t.scan_file('alice', 'a.py', pg_temp.calls(2));
select is(
    (select g.failures from api.gate('a.py') as g),
    array['missing_calls: the installed packages do not have what is used in line 1, line 2. A person can waive this.'],
    'a call that crashes fails the standard gate, although the score is high enough'
);
select ok((select g.failures::text like '%missing_calls%' from api.gate('a.py', p.name) as g), format('and the gate %s', p.name))
from (values ('strict'), ('framework')) as p (name);
select is(
    (select array_agg(f) from api.gate('a.py', new_code => true) as g cross join unnest(g.failures) as f where f like any ('{missing_calls%,high_findings%}')),
    array['high_findings: 3 new findings are serious'],
    'in new code they are serious findings, told once'
);

-- What matters is told, whatever the verdict.
select results_eq(
    $$select f ->> 'rule', f ->> 'line', f ->> 'severity' from api.gate('a.py') as g cross join jsonb_array_elements(g.findings) as f$$,
    $$values ('B018', '20', 'critical'), ('missing-attribute', '1', 'high'), ('missing-attribute', '2', 'high')$$,
    'the serious findings are told, critical ones first'
);
select is((select g.finding_count from api.gate('a.py') as g), 4, 'and the rest is counted');
select t.scan_file('alice', 'b.py', pg_temp.calls(9));
select is((select jsonb_array_length(g.findings) from api.gate('b.py') as g), 5, 'five at most');

select api.waive('a.py', 'missing_calls', 'The module makes these names when it is imported.', '2030-02-01');
select ok((select g.passed and g.warnings::text like '%missing_calls: waived%' from api.gate('a.py') as g), 'a person can waive it');

select * from finish();
rollback;
