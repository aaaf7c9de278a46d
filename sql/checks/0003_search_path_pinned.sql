-- Summary: every function sets its own search_path. A function that must be inlined cannot do this; its body is a
-- RETURN statement, whose names are resolved when the function is created.
-- Consequence: if a function uses the caller's search_path, the caller can make the function use the caller's own
-- objects instead of the intended objects. Hidden kind folders are not checked: their functions come from an earlier
-- release with other rules, and an installation creates them again before they can be called.
-- Fix: set search_path = pg_catalog, pg_temp, or write the body as RETURN.
select p.oid::regprocedure::text as offender
from pg_catalog.pg_proc as p
inner join pg_catalog.pg_namespace as n on n.oid = p.pronamespace
where
    n.nspowner = 'qm_owner'::regrole
    and p.prokind <> 'a' -- an aggregate has no path, but its functions have one
    and not coalesce(p.proconfig @> array['search_path=pg_catalog, pg_temp'], false)
    and p.prosqlbody is null
    and not exists (
        select
        from core.kind_folder as f
        where f.is_hidden and n.nspname::text collate core.c_utf8 = any(f.schemas)
    );
