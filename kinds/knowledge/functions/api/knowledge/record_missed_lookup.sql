-- api.record_missed_lookup: the records show which libraries people need.
-- Writes: knowledge.missed_lookup.
create or replace function api.record_missed_lookup(library text, topic text default null)
returns void
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_principal_id constant bigint := policy.require_principal();
begin
    -- A caller with many inventions must not fill the table.
    if (select count(*) from knowledge.missed_lookup as m where m.principal_id = v_principal_id) >= 1000 then
        return;
    end if;
    insert into knowledge.missed_lookup as m (library, topic, principal_id, asked_at)
    values (
        knowledge.library_name(record_missed_lookup.library),
        left(coalesce(record_missed_lookup.topic, ''), 200),
        v_principal_id,
        core.now()
    )
    on conflict on constraint missed_lookup_pkey do update set asked = m.asked + 1, asked_at = excluded.asked_at;
end
$function$;
comment on function api.record_missed_lookup(text, text) is
'Records that the caller looked up a library that is not indexed. Arguments: library: name of the library; topic: what '
'the caller wanted to know about the library.';
grant execute on function api.record_missed_lookup to qm_user;
