-- Functions that act with the owner's rights: adding one is a decision, made here.
begin;
select plan(3);

select set_eq(
    $$select p.oid::regprocedure::text from pg_proc as p inner join pg_namespace as n on n.oid = p.pronamespace
      where p.prosecdef and n.nspowner = 'qm_owner'::regrole$$,
    $$values
    ('api.activate_model(text,boolean)'),
    ('api.activate_rules(integer,boolean)'),
    ('api.activate_snapshot(text,boolean)'),
    ('api.add_origin(text,text,text[],text,text,text,jsonb,jsonb,text,jsonb,jsonb,boolean)'),
    ('api.apply_rules(jsonb,text,boolean)'),
    ('api.approve_tool(text,integer,text,boolean)'),
    ('api.audit_head()'),
    ('api.authenticate(bytea)'),
    ('api.authenticate_token(text,text,timestamp with time zone,text,text,text,boolean)'),
    ('api.bind_subject(text,text,text)'),
    ('api.call_begin(text,integer,text,uuid,bigint,uuid)'),
    ('api.call_end(bigint,text,real,bigint,text)'),
    ('api.claim_probes(integer)'),
    ('api.claim_refresh(uuid)'),
    ('api.claim_unembedded(text,integer,uuid)'),
    ('api.configure_canary(text,real,jsonb)'),
    ('api.configure_job(text,interval,boolean)'),
    ('api.configure_modes(jsonb)'),
    ('api.configure_scoring(text,text,jsonb)'),
    ('api.create_principal(text,text,text,text)'),
    ('api.create_snapshot(text,text)'),
    ('api.deprecate_tool(text,text,boolean)'),
    ('api.diff_snapshots(text,text)'),
    ('api.downrank_tool(text,real,text,boolean)'),
    ('api.drop_model(text,boolean)'),
    ('api.drop_snapshot(text,boolean)'),
    ('api.end_instance(uuid)'),
    ('api.end_session(text)'),
    ('api.explain_rights(text,text,text)'),
    ('api.find_principal(text)'),
    ('api.find_toolset(text)'),
    ('api.finish_refresh(bigint,text,text,text,jsonb,text)'),
    ('api.get_connection(bigint)'),
    ('api.get_origin(text)'),
    ('api.heartbeat(uuid,text,text,integer,boolean)'),
    ('api.import_tools(jsonb)'),
    ('api.keep_audit(integer,boolean)'),
    ('api.keep_snapshots(integer)'),
    ('api.place_snapshot(text,text)'),
    ('api.list_decisions(integer,boolean)'),
    ('api.list_keys(text)'),
    ('api.list_models(boolean)'),
    ('api.list_organisations()'),
    ('api.list_principals()'),
    ('api.list_rules()'),
    ('api.list_toolsets()'),
    ('api.pin_rules(boolean)'),
    ('api.put_key(text,text,text,bytea,timestamp with time zone,boolean)'),
    ('api.put_model(text,integer,boolean,text,text)'),
    ('api.put_organisation(text,text)'),
    ('api.put_toolset(text,jsonb,text)'),
    ('api.quarantine_tool(text,text,boolean)'),
    ('api.read_definitions(bigint[])'),
    ('api.read_snapshot(text,bigint,integer)'),
    ('api.read_standby()'),
    ('api.record_denial(text)'),
    ('api.reject_tools(bigint,jsonb)'),
    ('api.remove_origin(text)'),
    ('api.remove_toolset(text)'),
    ('api.replay_calls(jsonb)'),
    ('api.request_probe(text)'),
    ('api.request_refresh(text)'),
    ('api.revoke_key(bigint)'),
    ('api.run_job(text)'),
    ('api.scan_tools(bigint,integer,text[],boolean)'),
    ('api.seal_snapshot(text,bytea,bytea,text,bytea,bigint)'),
    ('api.set_approval(text,text)'),
    ('api.sign_audit(bigint,bytea,bytea,bytea)'),
    ('api.store_embeddings(text,text[],bytea[],text[])'),
    ('api.store_evaluation(text,text,text,jsonb,integer,bytea,text,text,jsonb,jsonb,jsonb,jsonb,jsonb)'),
    ('api.store_probe(bigint,integer,boolean,text,text)'),
    ('api.relay_begin(text,text,text,integer,text,uuid,text)'),
    ('api.store_assets(bigint,text,jsonb)'),
    ('api.store_tools(bigint,jsonb)'),
    ('api.verify_snapshot(text)'),
    ('audit.record_change()'),
    ('catalog.refuse_withheld(text)'),
    ('catalog.search_past(text,ext.vector,timestamp with time zone,integer,integer,integer,integer,real[])'),
    ('core.bump_version()'),
    ('policy.principal_id()'),
    ('policy.visible_classes()'),
    ('search.bm25(text,text,integer)'),
    ('search.bm25_pg_search(text,text,integer)'),
    ('search.count_unembedded()'),
    ('search.dense(text,ext.vector,integer,integer)'),
    ('search.fuzzy(text,text,integer)'),
    ('search.search(text,text,ext.vector,integer,integer,integer,integer,real[],text)'),
    ('selection.diversify(selection.candidate[],real,integer,integer,integer)'),
    ('selection.find_pool(text,text,ext.vector,selection.mode)'),
    ('selection.record_receipt(text,text,text,text,jsonb,real,text,jsonb,jsonb)')
    $$, 'these and no other'
);
select is_empty(
    $$select p.oid::regprocedure from pg_proc as p inner join pg_language as l on l.oid = p.prolang inner join pg_namespace as n on n.oid = p.pronamespace
      where p.prosecdef and l.lanname like 'plpython%' and n.nspowner = 'qm_owner'::regrole$$,
    'none is written in Python'
);
select is_empty(
    $$select p.oid::regprocedure from pg_proc as p inner join pg_namespace as n on n.oid = p.pronamespace
      where p.prosecdef and n.nspname in ('search', 'selection', 'api')
          and p.proname not in ('authenticate', 'authenticate_token', 'find_principal', 'read_definitions', 'read_standby', 'replay_calls') and p.prosrc !~ 'policy\.require_principal\(\)'$$,
    'each asks first who is calling'
);

select * from finish();
rollback;
