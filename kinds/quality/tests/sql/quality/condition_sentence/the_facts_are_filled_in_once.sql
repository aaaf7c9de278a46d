begin;
select plan(7);

select is(
    quality.condition_sentence('complexity', 'measured', '{"metric": "complexity", "rounded": 6.0, "minimum": 70, "unit": "%"}'),
    'complexity: 6.0% < 70% minimum', 'a value that has no sentence of its own'
);
select is(
    quality.condition_sentence('broken_decisions', 'measured', '{"value": 3, "missing": "decision-1"}'),
    'broken_decisions: 3 places do not follow decision-1', 'one that has'
);
select is(
    quality.condition_sentence('complexity', 'waived', '{"metric": "complexity", "until": "2026-01-01", "by": "cora", "reason": "{metric} } { old"}'),
    'complexity: waived until 2026-01-01 by cora: {metric} } { old', 'a fact is not read as a text'
);
select is(quality.condition_sentence('complexity', 'unknown', '{"metric": "complexity"}'), 'complexity: unknown. Not read by .', 'a fact that is missing is empty');
select is_empty(
    $$select c.preset, c.metric, s.situation from quality.gate_condition as c
    cross join unnest('{at_most,waived,unknown,measured}'::text[]) as s (situation)
    where quality.condition_sentence(c.metric, s.situation, '{}') is null$$, 'every condition has a sentence for each situation'
);
select is_empty(
    $$select c.metric from quality.gate_condition as c where c.metric in ('security', 'overall') and quality.condition_sentence(c.metric, 'unread', '{}') is null$$,
    'also those that may be unread'
);
select isnt(quality.condition_sentence('coverage', 'unmeasured', '{}'), null, 'and what may be unmeasured');

select * from finish();
rollback;
