-- Read-only functions are run in read-only transactions: a label that lies is found here.
begin;
select plan(4);

select is_empty(
    $$select p.oid::regprocedure from pg_proc as p inner join pg_namespace as n on n.oid = p.pronamespace
      where n.nspowner = 'qm_owner'::regrole and p.provolatile <> 'v'
          and p.prosrc ~* '\m(insert\s+into|update\s+[a-z_.]+\s+as|delete\s+from|pg_notify|for\s+update)\M'$$,
    'what writes is volatile'
);
select is_empty(
    $$select p.oid::regprocedure from pg_proc as p inner join pg_namespace as n on n.oid = p.pronamespace
      where n.nspowner = 'qm_owner'::regrole and p.provolatile = 'i'
          and p.prosrc ~* '\m(from|join)\s+(core|policy|catalog|search|selection|calls)\.[a-z_]+\M(?!\()'$$,
    'what reads tables is not immutable'
);
set local transaction read only;
select lives_ok($$select api.status()$$, 'status writes nothing');
select lives_ok($$select * from api.list_origins()$$, 'nor does list_origins');

select * from finish();
rollback;
