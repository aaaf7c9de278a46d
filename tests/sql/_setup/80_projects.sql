-- A project of a principal, with further members; returns its id. Principals that are not there become people.
create function t.make_project(p_name text, p_owner text, variadic p_members text [] default '{}') returns integer
language plpgsql as $$
declare
    v_id integer;
    v_member text;
begin
    foreach v_member in array p_owner || p_members loop
        if not exists (select from policy.principal as p where p.name = v_member) then
            perform policy.put_principal(v_member, 'person', 'user');
        end if;
    end loop;
    perform t.act_as(p_owner, 'qm_user');
    v_id := api.add_project(p_name, '/srv/' || p_name);
    foreach v_member in array p_members loop
        perform t.act_as(p_owner, 'qm_user');
        perform api.put_project_member(v_member, project => p_owner || '/' || p_name);
        perform t.act_as(v_member, 'qm_user');
        perform api.accept_project(p_owner || '/' || p_name);
    end loop;
    perform t.act_as_superuser();
    return v_id;
end
$$;
comment on function t.make_project(text, text, text []) is 'Makes a project of a principal, with further members; returns its id. Acts as the superuser afterwards.';

-- A card of a throw-away kind for the members of a project only.
create function t.make_project_card(p_kind text, p_ref bigint, p_name text, p_project_id integer, p_text text) returns void
language sql as $$
    select search.put_cards(
        p_kind,
        jsonb_build_array(jsonb_build_object(
            'ref', p_ref, 'name', p_name, 'fields', jsonb_build_array(p_name, '', p_text),
            'audience', (select p.audience_id from projects.project as p where p.id = p_project_id)
        ))
    );
$$;

-- A person of psql: the role of tests qm_test_person, which acts as this principal until t.act_as_superuser(). Decisions are curated by such logins only.
do $do$
begin
    if to_regrole('qm_test_person') is null then
        create role qm_test_person;
    end if;
    grant qm_admin to qm_test_person;
end
$do$;
create function t.log_in(p_principal text) returns void
language plpgsql as $$
begin
    perform t.act_as_superuser();
    update policy.principal as p set database_role = null where p.database_role = 'qm_test_person';
    update policy.principal as p set database_role = 'qm_test_person' where p.name = p_principal;
    set local session authorization qm_test_person;
end
$$;
comment on function t.log_in(text) is 'Acts as a principal through a login of its own, as psql and qm do.';
