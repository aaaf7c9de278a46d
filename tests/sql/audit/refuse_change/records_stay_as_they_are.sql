begin;
select plan(5);

select audit.append('insert', 'a.table');
select is(current_user, session_user, 'as a superuser, whom no policy stops');
select throws_ok($$update audit.record set object = 'x'$$, 'QM409', null, 'no change');
select throws_ok($$delete from audit.record$$, 'QM409', null, 'no removal');
select throws_ok($$truncate audit.record$$, 'QM409', null, 'not of all');
set local role qm_owner;
select is_empty($$update audit.record set object = 'x' returning id$$, 'the owner reaches none');

select * from finish();
rollback;
