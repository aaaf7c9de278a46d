begin;
select plan(2);

select search.lock_kind(search.default_kind());
select is(k.xmax::text, pg_current_xact_id()::xid::text, 'by this transaction') from search.kind as k where k.name = search.default_kind();
select throws_ok($$select search.lock_kind('no_such_kind')$$, 'QM404', null, 'a kind that is not there is refused');

select * from finish();
rollback;
