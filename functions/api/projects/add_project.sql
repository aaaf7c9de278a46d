-- api.add_project: the caller becomes the owner and the first member of the project.
-- Writes: policy.audience, projects.project, projects.member.
create or replace function api.add_project(name text, root text)
returns integer
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_principal_id constant bigint := policy.require_principal();
    v_audience_id integer;
    v_id integer;
begin
    if (add_project.name ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$') is not true then
        perform core.fail(
            'argument_invalid',
            format('%L is not a valid project name', left(add_project.name, 200)),
            null,
            'Use 1 to 100 letters, digits, dots, - and _, for example: my-service.'
        );
    end if;
    if (add_project.root ~ '^/[^[:cntrl:]]*$' collate core.c_utf8 and length(add_project.root) <= 4000) is not true then
        perform core.fail(
            'argument_invalid',
            format('%L is not an absolute path', left(add_project.root, 200)),
            null,
            'Give the full path of the folder, starting at the root of the file system.'
        );
    end if;
    if exists (select from projects.project as p where p.owner_id = v_principal_id and p.name = add_project.name) then
        perform core.fail('project_exists', format('you already have a project called %s', add_project.name));
    end if;

    insert into policy.audience (name, created_at)
    values ('project ' || add_project.name, core.now())
    returning id into v_audience_id;
    insert into projects.project (name, root, owner_id, audience_id, created_at)
    values (add_project.name, add_project.root, v_principal_id, v_audience_id, core.now())
    returning id into v_id;
    insert into projects.member (project_id, principal_id, role) values (v_id, v_principal_id, 'owner');
    return v_id;
end
$function$;
comment on function api.add_project(text, text) is
'Adds a project, which only members of the project see. Arguments: name: name of the project; root: absolute path of '
'the project''s folder on the machine of the service. This function does not check whether the folder exists, because '
'the database cannot see that machine (qm project add checks it). Returns the id of the project. Raises QM403 '
'principal_unknown, QM409 project_exists, QM422 argument_invalid.';
grant execute on function api.add_project to qm_user;
