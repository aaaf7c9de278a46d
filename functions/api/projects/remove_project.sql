-- api.remove_project: owners of the project and administrators may do this. Each kind counts the rows that it keeps
-- about the project (hook point project_removed); foreign keys and triggers delete these rows.
-- Writes: projects.project and all rows that belong to it, policy.audience, cards.
create or replace function api.remove_project(project text, dry_run boolean default false)
returns table (project_id integer, cards bigint, members bigint, packages bigint, scans bigint)
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_project_id constant integer := projects.require_owner(remove_project.project);
    v_audience_id constant integer := (select p.audience_id from projects.project as p where p.id = v_project_id);
    v_hook regproc;
    v_found jsonb;
begin
    project_id := v_project_id;
    packages := 0;
    scans := 0;
    select count(*) into cards from search.card as c where c.audience_id = v_audience_id;
    for v_hook in select h from core.hooks('project_removed') as h loop
        execute format('select %s($1)', v_hook) into v_found using v_project_id;
        packages := packages + coalesce((v_found ->> 'packages')::bigint, 0);
        scans := scans + coalesce((v_found ->> 'scans')::bigint, 0);
        cards := cards + coalesce((v_found ->> 'cards')::bigint, 0);
    end loop;
    select count(*) into members from projects.member as m where m.project_id = v_project_id;
    if not remove_project.dry_run then
        perform search.remove_cards(g.kind, g.refs)
        from (
            select c.kind, array_agg(c.ref) as refs
            from search.card as c
            where c.audience_id = v_audience_id
            group by c.kind
            order by c.kind
        ) as g;
        delete from projects.invitation as i
        using projects.project as p
        where p.id = v_project_id and i.owner_id = p.owner_id and i.name = p.name and i.declined_at is null;
        delete from projects.project as p where p.id = v_project_id;
        delete from policy.audience as a where a.id = v_audience_id;
    end if;
    return next;
end
$function$;
comment on function api.remove_project(text, boolean) is
'Removes a project and everything that is stored about the project. The function does not touch files. Arguments: '
'project: the project, as NAME or OWNER/NAME; dry_run: true to preview the change without making it. Returns the id of '
'the project, and the numbers of cards, members, packages and scans that are removed with it. Only packages that '
'nobody else has indexed are removed. Raises QM403 principal_unknown, project_owner_required, QM404 project_not_found, '
'QM409 project_ambiguous.';
grant execute on function api.remove_project to qm_user;
