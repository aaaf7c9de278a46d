begin;
select plan(3);

set local timezone = 'Asia/Kolkata';
select is(stats.period_of('2026-01-01 23:00+00', 'day'), '2026-01-01 00:00+00'::timestamptz, 'a day begins at midnight in Greenwich');
select is(stats.period_of('2026-01-01 23:00+00', 'hour'), '2026-01-01 23:00+00'::timestamptz, 'an hour is itself');
select is(stats.period_of('2026-01-01 23:00+00', null), null, 'all together have no period');

select * from finish();
rollback;
