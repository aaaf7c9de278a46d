-- An indexed library with the function NAME.send, in the environment of a project; returns the digest of all that was read.
create function t.make_library(p_project text, p_name text, p_version text default '1.0', p_passage text default 'Sends a parcel.') returns bytea
language plpgsql as $$
declare
    v_environment bigint;
    v_content bytea;
begin
    perform t.act_as_superuser();
    insert into knowledge.environment (folder, project_id, indexed_at)
    select '/srv/' || p_project, p.id, core.now() from projects.project as p where p.name = p_project
    on conflict on constraint environment_key do update set indexed_at = excluded.indexed_at
    returning id into v_environment;
    perform t.act_as((select o.name from projects.project as p inner join policy.principal as o on o.id = p.owner_id where p.name = p_project), 'qm_admin');
    v_content := (
        api.store_distributions(
            v_environment,
            jsonb_build_array(
                jsonb_build_object(
                    'name', p_name, 'version', p_version, 'digest', encode(sha256(convert_to(p_name || p_version || p_passage, 'UTF8')), 'hex'),
                    'modules', jsonb_build_array(p_name), 'summary', 'Parcels', 'symbols',
                    jsonb_build_array(
                        jsonb_build_object(
                            'path', p_name || '.send', 'paths', jsonb_build_array(p_name || '.core.send'), 'kind', 'function', 'signature',
                            'send(parcel)', 'file', p_name || '/core.py', 'line', 7, 'passage', p_passage, 'parameters', '["parcel"]'::jsonb,
                            'deprecated', '', 'is_async', false, 'is_public', true, 'priors', '[0,1,0,1,2,1,0,0,1,0,0,0,0,0,1]'::jsonb,
                            'fields', jsonb_build_array('send', p_passage, 'parcel', ''), 'embedding_text', 'send: ' || p_passage
                        )
                    )
                )
            )
        )
    )[1];
    perform t.act_as_superuser();
    return v_content;
end
$$;
comment on function t.make_library(text, text, text, text) is 'Indexes a library for a project; returns the digest of all that was read. Acts as the superuser afterwards.';
