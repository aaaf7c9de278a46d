-- Summary: every function sets its own search_path. A function that must be inlined cannot: its
-- body is a RETURN, whose names are bound when the function is made.
-- Consequence: if a function uses the caller's search_path, the caller can make the function use
-- the caller's own objects instead of the intended objects.
-- Fix: set search_path = pg_catalog, pg_temp, or write the body as RETURN.
-- A kind folder that is hidden keeps the functions of an earlier release, which knew other rules. They are called again
-- only after an installation with the folder has made them anew.
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
