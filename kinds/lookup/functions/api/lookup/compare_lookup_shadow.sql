-- Definer: operators see only their own rows of selection.receipt. From the other rows, they get only statistics of
-- lookup tables that they may see, without queries and names of principals.
create or replace function api.compare_lookup_shadow(since timestamptz default null, until timestamptz default null)
returns table (
    name text,
    profile text,
    shadow text,
    queries bigint,
    same real,
    other real,
    lost real,
    gained real,
    matched real,
    shadow_matched real,
    score_change double precision,
    p95_ms double precision,
    shadow_p95_ms double precision
)
language plpgsql
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_since constant timestamptz := coalesce(compare_lookup_shadow.since, core.now() - interval '7 days');
begin
    perform policy.require_principal();
    return query
    select
        t.name,
        r.mode,
        s.profile,
        count(*),
        avg((f.key is not distinct from s.key)::integer)::real,
        avg(((f.key <> s.key) is true)::integer)::real,
        avg((f.key is not null and s.key is null)::integer)::real,
        avg((f.key is null and s.key is not null)::integer)::real,
        avg((r.detail ->> 'match')::boolean::integer)::real,
        avg(s.match::integer)::real,
        avg(s.score - f.score),
        percentile_cont(0.95) within group (order by r.duration_ms),
        percentile_cont(0.95) within group (order by s.ms)
    from selection.receipt as r
    cross join lateral jsonb_to_record(r.detail -> 'shadow') as s (
        profile text, key text, score real, match boolean, ms real
    )
    cross join lateral (select r.offered -> 0 ->> 'name' as key, (r.offered -> 0 ->> 'score')::real as score) as f
    inner join lookup.lookup_table as t on t.name = r.origin
    inner join search.card as c on c.kind = 'lookup_table' and c.ref = t.id
    where r.kind = 'lookup'
        and r.goal_hash is not null
        and r.detail ? 'shadow'
        and r.created_at >= v_since
        and r.created_at < coalesce(compare_lookup_shadow.until, 'infinity')
        and policy.is_visible(c.rights_class, (select policy.visible_classes()))
    group by t.name, r.mode, s.profile
    order by t.name, r.mode, s.profile collate core.c_utf8;
end
$function$;
comment on function api.compare_lookup_shadow(timestamptz, timestamptz) is
'Compares the answers that a lookup table and its shadow (a trial of other weights) give to the same queries. '
'Arguments: since: start of the period (default: a week ago); until: end of the period. Returns for each lookup table '
'and set of weights: the number of queries that both answered; the share of queries with the same first row, with '
'different first rows, for which only the table found a row, and for which only the shadow found a row; the share of '
'queries for which the table had a match, and for which the shadow had a match; the mean difference between the scores '
'of the first rows (shadow minus table); and the 95th percentile of the durations of the table and of the shadow, in '
'milliseconds. All shares are between 0 and 1. Can be null: score_change.';
grant execute on function api.compare_lookup_shadow to qm_operator;
