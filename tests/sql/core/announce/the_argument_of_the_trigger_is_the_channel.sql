begin;
select plan(2);

-- What is announced arrives after a commit, which this test does not make. The name is checked at once.
create table t.announced (a integer);
create trigger announce after insert on t.announced for each statement execute function core.announce('');
select throws_ok($$insert into t.announced values (1)$$, '22023', null, 'a channel has a name');

create or replace trigger announce after insert on t.announced for each statement execute function core.announce('any');
select lives_ok($$insert into t.announced values (1)$$, 'any name will do');

select * from finish();
rollback;
