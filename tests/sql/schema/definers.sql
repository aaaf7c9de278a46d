-- Functions that act with the owner's rights; those of qm_reader are under the row policies. Which they are stands in privileges.txt: adding one is a decision.
begin;
select plan(3);

select is_empty(
    $$select p.oid::regprocedure from pg_proc as p inner join pg_language as l on l.oid = p.prolang inner join pg_namespace as n on n.oid = p.pronamespace
      where p.prosecdef and l.lanname like 'plpython%' and n.nspowner = 'qm_owner'::regrole$$,
    'none is written in Python'
);
select is_empty(
    $$select p.oid::regprocedure from pg_proc as p inner join pg_namespace as n on n.oid = p.pronamespace
      where p.prosecdef and p.proowner = 'qm_owner'::regrole and n.nspname in ('search', 'selection', 'api')
          and p.proname not in ('authenticate', 'authenticate_token', 'end_calls', 'find_principal', 'read_definitions', 'read_outage_copy', 'record_lookups', 'replay_calls')
          and p.prosrc !~ 'policy\.require_(principal|curator)\(\)|lookup\.require_(table|row)\('$$,
    'each asks first who is calling, itself or by what it requires'
);
select is_empty(
    $$select p.oid::regprocedure from pg_proc as p
      where p.oid in ('policy.require_curator'::regproc, 'lookup.require_table'::regproc, 'lookup.require_row'::regproc)
          and p.prosrc !~ 'policy\.require_(principal|curator)\(\)'$$,
    'what they require asks who is calling'
);

select * from finish();
rollback;
