-- lookup.forget: the job that deletes the log of queries which is older than the setting lookup.keep.
-- At most 50,000 rows at a time: no transaction lasts for long; the rest next time.
-- Writes: lookup.request.
create or replace function lookup.forget()
returns jsonb
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_keep constant interval := (core.get_setting('lookup.keep') #>> '{}')::interval;
    v_deleted integer := 0;
begin
    if v_keep > interval '0' then
        delete from lookup.request as r
        where r.id = any(array(select x.id from lookup.request as x where x.at < core.now() - v_keep limit 50000));
        get diagnostics v_deleted = row_count;
    end if;
    return jsonb_build_object('queries', v_deleted);
end
$function$;
comment on function lookup.forget() is 'Returns how many queries were deleted: {queries}.';
