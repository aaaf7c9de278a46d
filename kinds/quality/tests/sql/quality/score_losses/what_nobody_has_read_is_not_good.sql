begin;
select plan(4);

select t.make_project('shop', 'alice');
create temporary table version as
select t.scan_file('alice', 'a.js', t.scans(jsonb_build_object('lizard', '[]'::jsonb))) as js, t.scan_file('alice', 'a.md', t.scans()) as text, t.scan_file('alice', 'a.py', t.scans('{}', '{"bandit": "absent", "mypy": "absent"}')) as python;
select t.act_as_superuser();
select results_eq(
    $$select s.category, s.score, s.weight, s.state, s.lost from version as v cross join lateral quality.score_losses(v.js, '[{"category": "complexity", "points": 2.5}, {"category": "complexity", "points": 1}]') as s$$,
    $$values ('complexity', 6.50, 0.4000, 'known', 3.50), ('overall', 86.0, 1, 'known', 14.0), ('security', 10.00, 0.6000, 'known', 0.00)$$, 'the points are taken from ten, and the weights are those of what was read'
);
select is((select s.score from version as v cross join lateral quality.score_losses(v.text, '[{"category": "security", "points": 99}]') as s where s.category = 'overall'), 0.0, 'never less than nothing');
select results_eq(
    $$select s.category, s.score, s.state, s.missing from version as v cross join lateral quality.score_losses(v.python, '[]') as s where s.category in ('maintainability', 'overall', 'security')$$,
    $$values ('maintainability', 10.00, 'partial', '{mypy}'::text[]), ('overall', null, 'unknown', '{bandit,mypy}'), ('security', null, 'unknown', '{bandit}')$$, 'without one of its checkers, security is unknown, and so is the whole'
);
select is((select round(sum(s.weight), 3) from version as v cross join lateral quality.score_losses(v.python, '[]') as s where s.category <> 'overall'), 1.000, 'the others share its weight');

select * from finish();
rollback;
