-- Writes: decisions.packet.
create or replace function api.next_packet(project text default null)
returns table (packet bigint, scope text, evidence jsonb, known text[], waiting integer)
language plpgsql
volatile parallel unsafe security definer
rows 1
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_project_id constant integer := projects.find(next_packet.project);
begin
    return query
    with chosen as (
        select k.id
        from decisions.packet as k
        where k.project_id = v_project_id and k.answered_at is null
        order by k.taken_at nulls first, k.place, k.id
        limit 1
        for update skip locked
    )
    update decisions.packet as k
    set taken_at = core.now()
    from chosen as c
    where k.id = c.id
    returning
        k.id, k.scope, k.evidence,
        array(
            select d.pattern
            from decisions.decision as d
            where
                d.project_id = v_project_id
                and d.superseded_by is null
                -- What an agent or a file proposed reaches another agent only after a person approved it.
                and (d.status = 'canonical' or d.origin = 'bootstrap' and d.suspicion = '')
            order by d.scope_prefix <> '' and starts_with(k.scope, d.scope_prefix) desc, d.importance desc, d.id
            limit 10
        ),
        (
            select count(*)::integer
            from decisions.packet as w
            where w.project_id = v_project_id and w.answered_at is null
        );
end
$function$;
comment on function api.next_packet(text) is
'Chooses the next packet of evidence (counts, excerpts and statements about one area of the code), in which an agent '
'should look for decisions. Argument project: the project, as NAME or OWNER/NAME (null: your only project). Returns: '
'the number of the packet; the scope of the packet; the evidence (as in api.put_packets); the texts of up to ten '
'decisions that the project already has; and the number of packets without an answer. Decisions that an agent '
'proposed, or that were imported from a file, are not among the ten until somebody approves them. Returns no row if '
'every packet has an answer. Raises QM404 project_not_found, QM409 project_ambiguous.';
grant execute on function api.next_packet to qm_user;
