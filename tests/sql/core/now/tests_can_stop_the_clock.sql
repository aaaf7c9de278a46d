begin;
select plan(2);

select t.at('2026-01-02 03:04:05+00');
select is(core.now(), '2026-01-02 03:04:05+00'::timestamptz, 'it stands where it was set');
select set_config('t.now', '', true);
select is(core.now(), statement_timestamp(), 'and goes otherwise');

select * from finish();
rollback;
