-- Functions that act with the owner's rights; those of qm_reader are under the row policies. Which they are stands in privileges.txt: adding one is a decision.
begin;
select plan(4);

select is_empty(
    $$select p.oid::regprocedure from pg_proc as p inner join pg_language as l on l.oid = p.prolang inner join pg_namespace as n on n.oid = p.pronamespace
      where p.prosecdef and l.lanname like 'plpython%' and n.nspowner = 'qm_owner'::regrole$$,
    'none is written in Python'
);
select is_empty(
    $$select p.oid::regprocedure from pg_proc as p inner join pg_namespace as n on n.oid = p.pronamespace
      where p.prosecdef and p.proowner = 'qm_owner'::regrole and n.nspname in ('search', 'selection', 'api', 'service')
          and has_function_privilege('qm_admin', p.oid, 'execute')
          and p.prosrc !~ 'policy\.require_(principal|curator|service)\(\)|(lookup\.require_(table|row)|projects\.(require_owner|find|find_invitation)|knowledge\.writable_environment)\('$$,
    'each that people may run asks first who is calling, itself or by what it requires'
);
select is_empty(
    $$select p.oid::regprocedure from pg_proc as p
      where p.oid in ('policy.require_curator'::regproc, 'policy.require_service'::regproc, 'lookup.require_table'::regproc, 'lookup.require_row'::regproc, 'projects.find'::regproc, 'projects.find_invitation'::regproc, 'knowledge.writable_environment'::regproc)
          and p.prosrc !~ 'policy\.require_(principal|curator)\(\)'$$,
    'what they require asks who is calling'
);

-- Each reads what no principal may read as a row, such as other principals' numbers or how an origin is reached, and
-- tells a part of it; its header says which. Anything else that reads belongs to qm_reader.
select set_eq(
    $$select p.proname from pg_proc as p
      where p.pronamespace in ('api'::regnamespace, 'service'::regnamespace) and p.prosecdef and p.provolatile <> 'v' and p.proowner = 'qm_owner'::regrole
          and (has_function_privilege('qm_user', p.oid, 'execute') or has_function_privilege('qm_operator', p.oid, 'execute'))$$,
    '{audit_head,claim_teachings,compare_lookup_shadow,count_arrivals,describe_catalog,environments_to_watch,explain_rights,find_replaced,find_toolset,get_connection,get_instructions,get_origin,get_terms,
      list_curations,list_decisions,list_lookup_sources,list_lookup_statistics,list_models,list_organisations,list_rules,list_tools,list_toolsets,
      list_unanswered_lookups,lookup_examples,lookup_state,projects_to_refresh,read_page,rerank,served_decisions,suggest_aliases}'::name[],
    'what reads with the owner''s rights is known by name'
);

select * from finish();
rollback;
