-- What clients and the service may call is written as people type it.
begin;
select plan(2);

select is_empty($$select p.oid::regprocedure from pg_proc as p where p.pronamespace = 'api'::regnamespace and 0 < (select count(*) from unnest(p.proargnames[:p.pronargs]) as a (name) where a.name like 'p\_%')$$, 'arguments are words that people type');
select is_empty($$select p.proname from pg_proc as p where p.pronamespace = 'api'::regnamespace group by p.proname having count(*) > 1$$, 'no operation has two signatures');

select * from finish();
rollback;
