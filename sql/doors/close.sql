-- Revokes the right that sql/doors/open.sql granted, and pins settings of the operations, which every login calls.
-- debug_print_plan and trace_sort are off: they would send plans and the sizes of sorts to the caller, and these show
-- what the planner knows about hidden rows. Because of the other settings, an operation answers the same, whatever the
-- database, the role or the session has set. tests/sql/settings.toml lists which settings change an answer. Functions
-- that this installation has not created are not altered, so that pg_temp.drop_leftovers recognises them.
revoke create on schema api, service from qm_reader;

-- Only a superuser may pin a setting that is unknown, because the library of its extension is not loaded. A dump makes
-- types before functions. To make this second type, PostgreSQL checks its default as values of the first, and so loads
-- both libraries. Then the owner of a database can restore the functions.
do $do$
begin
    if to_regtype('core.libraries') is null then
        create domain core.library as ext.vector check (ext.similarity('', '') = 0);
        create domain core.libraries as core.library [] default '{[0]}';
        comment on domain core.library is 'A value that loads the libraries of the extensions; for core.libraries.';
        comment on domain core.libraries is
        'Loads the libraries of the extensions while a dump is restored, before functions pin settings of theirs.';
    end if;
end
$do$;

do $do$
declare
    v_before constant jsonb := pg_catalog.current_setting('qm.functions_before');
    v_function regprocedure;
    v_settings text;
begin
    -- Their settings are unknown until the libraries of the extensions are loaded.
    perform ext.similarity('', ''), ext.vector_dims('[0]'::ext.vector);
    select pg_catalog.string_agg(pg_catalog.format('set %s = %L', p.name, p.value), ' ')
    into v_settings
    from (
        values
        ('debug_print_plan', 'off'),
        ('trace_sort', 'off'),
        ('row_security', 'on'),
        ('array_nulls', 'on'),
        ('bytea_output', 'hex'),
        ('datestyle', 'ISO, MDY'),
        ('default_text_search_config', 'pg_catalog.simple'),
        ('extra_float_digits', '1'),
        ('gin_fuzzy_search_limit', '0'),
        ('intervalstyle', 'postgres'),
        ('quote_all_identifiers', 'off'),
        ('standard_conforming_strings', 'on'),
        ('timezone', 'UTC'),
        ('transform_null_equals', 'off'),
        ('hnsw.ef_search', '40'),
        ('hnsw.iterative_scan', 'off'),
        ('hnsw.max_scan_tuples', '20000'),
        ('hnsw.scan_mem_multiplier', '1'),
        ('pg_trgm.similarity_threshold', '0.3'),
        ('pg_trgm.word_similarity_threshold', '0.6')
    ) as p (name, value)
    -- A server may lack one of the first.
    where p.name like '%.%' or exists (select from pg_catalog.pg_settings as s where pg_catalog.lower(s.name collate "C") = p.name);
    for v_function in
        select p.oid
        from pg_catalog.pg_proc as p
        where
            p.pronamespace in ('api'::regnamespace, 'service'::regnamespace) and p.prosecdef
            and p.proowner in ('qm_owner'::regrole, 'qm_reader'::regrole)
            and v_before ->> p.oid::text is distinct from p.ctid::text
    loop
        execute pg_catalog.format('alter function %s %s', v_function, v_settings);
    end loop;
end
$do$;
