create or replace function api.list_notes(in_domain text default null)
returns table (
    name text,
    domain text,
    title text,
    project text,
    owner text,
    version text,
    source text,
    verified boolean,
    reviewed date,
    stale boolean,
    passages bigint,
    problem text
)
language plpgsql
stable parallel safe security definer
rows 400
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_domain constant text := case
        when list_notes.in_domain is not null then knowledge.find_domain(list_notes.in_domain)
    end;
begin
    perform policy.require_principal();
    return query
    select
        n.name,
        n.domain,
        n.title,
        p.name,
        projects.principal_name(p.owner_id),
        n.version,
        n.source,
        n.is_verified,
        n.reviewed_on,
        knowledge.is_stale(n),
        (select count(*) from knowledge.passage as s where s.note_id = n.id),
        n.problem
    from knowledge.note as n
    left join projects.project as p on p.id = n.project_id
    where v_domain is null or n.domain = v_domain
    order by n.project_id is null, n.domain, n.name;
end
$function$;
comment on function api.list_notes(text) is
'Lists the notes that the caller may read. Notes of projects come first. Argument in_domain: name of a domain, to list '
'only notes of this domain (null: all domains). If a note belongs to a project, the columns title, source and verified '
'contain what the project itself states; Quartermaster has not checked whether it is true. The column problem says why '
'a note is quarantined. Agents never get quarantined notes. Raises QM403 principal_unknown, QM404 domain_not_found. '
'Can be null: project, owner, problem.';
alter function api.list_notes owner to qm_reader;
grant execute on function api.list_notes to qm_user;
