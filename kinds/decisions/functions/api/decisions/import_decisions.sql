-- Writes: decisions.decision, decisions.evidence, decisions.link, decisions.review, decisions.refusal, cards.
create or replace function api.import_decisions(
    entries jsonb, project text default null, reviewed_commit text default null
)
returns table (place integer, decision bigint, outcome text, reason text)
language plpgsql
volatile parallel unsafe security definer
rows 10
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_project_id constant integer := projects.find(import_decisions.project);
    v_owner constant text := (
        select o.name || '/' || p.name
        from projects.project as p
        inner join policy.principal as o on o.id = p.owner_id
        where p.id = v_project_id
    );
    v_stored jsonb;
    v_each record;
    v_decision decisions.decision;
begin
    if import_decisions.reviewed_commit is not null then
        perform decisions.require_curator(v_project_id);
        if import_decisions.reviewed_commit !~ '^[0-9a-f]{7,64}$' then
            perform core.fail(
                'argument_invalid',
                format('%L is not the hash of a commit', left(import_decisions.reviewed_commit, 100)),
                null,
                'Give the hash of the commit that contains the reviewed files.'
            );
        end if;
    end if;
    select jsonb_agg(to_jsonb(s) order by s.place)
    into v_stored
    from api.put_candidates(
        (
            select jsonb_agg(d.piece || '{"origin": "imported"}' order by d.number)
            from jsonb_array_elements(import_decisions.entries) with ordinality as d (piece, number)
        ),
        v_owner
    ) as s;
    if import_decisions.reviewed_commit is not null then
        for v_each in
            select
                (s.stored ->> 'decision')::bigint as id,
                import_decisions.entries -> (s.stored ->> 'place')::integer - 1 ->> 'status' as status
            from jsonb_array_elements(v_stored) as s (stored)
            where s.stored ->> 'decision' is not null
            order by 1
        loop
            select d.* into v_decision from decisions.decision as d where d.id = v_each.id for update;
            if v_each.status in ('canonical', 'rejected') and v_decision.status = 'candidate' then
                perform decisions.settle(v_decision, v_each.status, 'import', '', import_decisions.reviewed_commit);
            end if;
        end loop;
        perform decisions.show_cards(
            array(
                select (s.stored ->> 'decision')::bigint
                from jsonb_array_elements(v_stored) as s (stored)
                where s.stored ->> 'decision' is not null
            )
        );
    end if;
    return query
    select s.place, s.decision, s.outcome, s.reason
    from jsonb_to_recordset(coalesce(v_stored, '[]')) as s (place integer, decision bigint, outcome text, reason text);
end
$function$;
comment on function api.import_decisions(jsonb, text, text) is
'Imports decisions. Arguments: entries: JSON array of decisions, each in the form of api.find_decisions or '
'api.put_candidates; project: the project, as NAME or OWNER/NAME (null: your only project); reviewed_commit: hash of '
'the commit that contains the reviewed files (null: the decisions were not reviewed). With a commit, each decision '
'gets the status that it has in entries, and only curators may import. Without a commit, all decisions become '
'candidates. Returns the same as api.put_candidates. Raises QM403 principal_unknown, decision_door_closed, '
'decision_curator_required, QM404 project_not_found, QM409 project_ambiguous, decision_contradicted, '
'decision_suspicious, QM422 argument_invalid. Can be null: decision, reason.';
grant execute on function api.import_decisions to qm_user;
