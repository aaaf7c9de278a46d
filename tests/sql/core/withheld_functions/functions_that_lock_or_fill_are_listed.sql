begin;
select plan(4);

select set_has(
    'select w.function::text from core.withheld_functions() as w',
    $$select unnest(array[
        'pg_advisory_lock(bigint)', 'pg_advisory_lock(integer,integer)', 'pg_try_advisory_xact_lock_shared(bigint)',
        'pg_current_xact_id()', 'txid_current()', 'pg_logical_emit_message(boolean,text,text,boolean)',
        'pg_export_snapshot()', 'lo_create(oid)', 'lo_put(oid,bigint,bytea)', 'lowrite(integer,bytea)'
    ])$$,
    'locks, transaction ids, the log, files and large objects'
);
select set_hasnt(
    'select w.function::text from core.withheld_functions() as w',
    $$values ('lo_import(text)'), ('lo_export(oid,text)'), ('pg_advisory_unlock_all()')$$,
    'not what PostgreSQL itself withholds, and not what gives locks back'
);
select is_empty(
    $$select w.function from core.withheld_functions() as w where has_function_privilege('qm_user', w.function, 'execute')$$,
    'a login may execute none'
);
select is_empty(
    $$select w.function, r.role from core.withheld_functions() as w, unnest(w.needed_by) as r (role)
    where not has_function_privilege(r.role, w.function, 'execute')$$,
    'and roles that need one may execute it'
);

select * from finish();
rollback;
