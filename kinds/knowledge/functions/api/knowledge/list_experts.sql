create or replace function api.list_experts()
returns table (
    domain text,
    description text,
    aliases text[],
    notes bigint,
    passages bigint,
    verified bigint,
    stale bigint,
    reviewed date,
    waiting bigint
)
language sql
stable parallel safe security definer
rows 20
set search_path = pg_catalog, pg_temp
as $function$
    select policy.require_principal();
    with waiting as materialized (
        select w.passage_id from knowledge.waiting_passages() as w
    )

    select
        d.name,
        d.description,
        d.aliases,
        count(n.id),
        coalesce(sum(s.passages), 0)::bigint,
        count(n.id) filter (where n.is_verified),
        count(n.id) filter (where knowledge.is_stale(n)),
        min(n.reviewed_on),
        coalesce(sum(s.waiting), 0)::bigint
    from knowledge.domain as d
    left join knowledge.note as n on n.domain = d.name and n.problem is null
    left join lateral (
        select count(*) as passages, count(w.passage_id) as waiting
        from knowledge.passage as p
        left join waiting as w on w.passage_id = p.id
        where p.note_id = n.id
    ) as s on true
    group by d.name
    order by d.name;
$function$;
comment on function api.list_experts() is
'Lists the domains of the experts. Returns for each domain: its name and description; the other names of the domain; '
'the number of notes; the number of passages; the number of notes that somebody has checked against their sources; the '
'number of notes that should be reviewed again; the date of the oldest review; and the number of passages that are '
'searched by words only, because their vectors are still missing (waiting). Raises QM403 principal_unknown. Can be '
'null: reviewed.';
alter function api.list_experts owner to qm_reader;
grant execute on function api.list_experts to qm_user;
