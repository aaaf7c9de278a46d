begin;
select plan(3);

delete from stats.watermark;
select is(stats.counted_to('calls'), '-infinity'::timestamptz, 'nothing is counted yet');
update stats.watermark set counted_to = '2026-01-01' where name = 'calls';
select is(stats.counted_to('calls'), '2026-01-01'::timestamptz, 'then from there on');
select throws_ok($$select stats.counted_to('moons')$$, '23514', null, 'only what is counted');

select * from finish();
rollback;
