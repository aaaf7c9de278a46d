begin;
select plan(1);

select throws_ok($$select snapshots.require_snapshot('monday')$$, 'QM404', 'there is no snapshot called ''monday''', 'one that is not there');

select * from finish();
rollback;
