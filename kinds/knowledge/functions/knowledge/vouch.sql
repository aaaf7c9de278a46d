create or replace function knowledge.vouch(p_note knowledge.note)
returns jsonb
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select jsonb_build_object(
        'project', p.name,
        'owner', o.name,
        'verified', p_note.is_verified and p_note.project_id is null,
        'verified_by', case
            when not p_note.is_verified then null
            when p_note.project_id is null then 'quartermaster'
            else o.name || '/' || p.name
        end
    )
    from (select p_note.project_id as id) as g
    left join projects.project as p on p.id = g.id
    cross join lateral (select case when p.id is not null then projects.principal_name(p.owner_id) end as name) as o;
$function$;
comment on function knowledge.vouch(knowledge.note) is
'Says who vouches for a note. Argument p_note: the note. Returns a JSON object: project and owner: the project to '
'which the note belongs, and its owner (null: the note comes with Quartermaster); verified: true if the authors of '
'Quartermaster compared the note with its source; verified_by: who claims that somebody compared it: quartermaster, or '
'OWNER/NAME of the project (null: nobody).';
grant execute on function knowledge.vouch to qm_reader;
