begin;
select plan(3);

select is(jobs.next_time('2026-01-01 10:00+00', '1 hour', '2026-01-01 10:00+00'), '2026-01-01 11:00+00'::timestamptz, 'done in time: an interval later');
select is(jobs.next_time('2026-01-01 10:00+00', '1 hour', '2026-01-01 10:20+00'), '2026-01-01 11:00+00'::timestamptz, 'a late start does not shift the next');
select is(jobs.next_time('2026-01-01 10:00+00', '1 hour', '2026-01-01 15:30+00'), '2026-01-01 16:00+00'::timestamptz, 'missed ones are caught up once');

select * from finish();
rollback;
