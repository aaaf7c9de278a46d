begin;
select plan(8);

select t.make_principal('alice'), t.make_principal('op', 'operator');
select throws_ok($$select selection.choose_mode('warp', 'x')$$, 'QM422', null, 'an unknown mode');
select t.read_as('op', 'qm_operator');
select api.configure_canary('balanced', 30, '{"lambda": 0.5, "top": 3}');
select t.read_as('alice');
create temporary table chosen as
select i, c.top, c.lambda, c.lexical, selection.mode_label(c) as label
from generate_series(1, 1000) as i cross join lateral selection.choose_mode('balanced', 'goal ' || i) as c;
select ok((select count(*) between 240 and 360 from chosen as c where c.top = 3), 'about three in ten');
select is((select count(distinct c.label) from chosen as c), 2::bigint, 'mode and canary have their labels');
select is_empty($$select * from chosen as c where (c.top = 3) <> (c.lambda = 0.5) or c.lexical <> (select m.lexical from selection.mode as m where m.name = 'balanced')$$, 'what the canary leaves out is as in the mode');
select results_eq(
    $$select selection.mode_label(selection.choose_mode('balanced', 'goal ' || i)) from generate_series(1, 50) as i order by i$$,
    $$select c.label from chosen as c where c.i <= 50 order by c.i$$, 'the same goal gets the same settings'
);
select is((select count(distinct selection.mode_label(selection.choose_mode('fast', 'goal ' || i))) from generate_series(1, 100) as i), 1::bigint, 'other modes have none');
select t.read_as('op', 'qm_operator');
select isnt(
    (select array_agg(selection.mode_label(selection.choose_mode('balanced', 'goal ' || i)) order by i) from generate_series(1, 50) as i),
    (select array_agg(c.label order by c.i) from chosen as c where c.i <= 50), 'another principal has another share'
);
select api.configure_canary('balanced', 0);
select is((select count(distinct selection.mode_label(selection.choose_mode('balanced', 'goal ' || i))) from generate_series(1, 100) as i), 1::bigint, 'no canary, no share');

select * from finish();
rollback;
