create or replace function projects.why_none()
returns text
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select case
        when count(*) = 0 then coalesce(
            projects.tell_invitations(),
            format(
                'You are a member of no project. Ask the owner of one to add you: qm project members NAME --add %s. Or '
                'add one: qm project add PATH.',
                (select u.name from policy.principal as u where u.id = policy.principal_id())
            )
        )
        else format(
            'Name one of your %s projects: %s.',
            count(*),
            array_to_string((array_agg(p.name order by p.name))[:20], ', ')
        )
    end
    from (
        select projects.principal_name(x.owner_id) || '/' || x.name as name
        from projects.project as x
        where x.id = any(projects.mine())
    ) as p;
$function$;
comment on function projects.why_none() is
'Returns a hint for a call in which no project is named and for which none was found. The hint gives the reason and '
'the next step.';
grant execute on function projects.why_none to qm_reader;
