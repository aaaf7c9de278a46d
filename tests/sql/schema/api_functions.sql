-- What clients and the service may call is written as people type it, and its name alone says which operation it is.
begin;
select plan(2);

select is_empty($$select p.oid::regprocedure from pg_proc as p where p.pronamespace in ('api'::regnamespace, 'service'::regnamespace) and 0 < (select count(*) from unnest(p.proargnames[:p.pronargs]) as a (name) where a.name like 'p\_%')$$, 'arguments are words that people type');
select is_empty($$select p.proname from pg_proc as p where p.pronamespace in ('api'::regnamespace, 'service'::regnamespace) group by p.proname having count(*) > 1$$, 'no name has two signatures, or is in both schemas');

select * from finish();
rollback;
