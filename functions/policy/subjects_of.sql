create or replace function policy.subjects_of(p_principal_id bigint, p_toolset text default null)
returns text[]
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select array[
        'everyone', 'role:' || p.role, 'organisation:' || o.name, 'principal:' || p.name, 'toolset:' || p_toolset
    ]
    from policy.principal as p
    left join policy.organisation as o on o.id = p.organisation_id
    where p.id = p_principal_id and p.enabled;
$function$;
comment on function policy.subjects_of(bigint, text) is
'Lists the subjects by which rules can refer to a principal. Arguments: p_principal_id: id of the principal; '
'p_toolset: toolset of the session (null: no toolset). Returns one array element for each type of subject. The element '
'is null if no subject of this type refers to the principal. Returns null for a disabled principal.';
