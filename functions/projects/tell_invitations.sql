-- projects.tell_invitations: a caller who finds no project may have forgotten to answer an invitation. The hint
-- contains no text of the inviter.
create or replace function projects.tell_invitations()
returns text
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select format(
        'You have %s %s: qm project list, or the MCP tool project_invitations.',
        count(*),
        case when count(*) = 1 then 'invitation' else 'invitations' end
    )
    from projects.invitation as i
    where i.principal_id = policy.principal_id() and i.declined_at is null
    having count(*) > 0;
$function$;
comment on function projects.tell_invitations() is
'Returns a hint with the number of the caller''s open invitations, or null if the caller has none.';
grant execute on function projects.tell_invitations to qm_reader;
