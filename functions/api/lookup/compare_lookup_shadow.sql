-- api.compare_lookup_shadow: what counted, beside what the shadow would have answered to the same queries.
-- Definer because the log shows everybody their own queries only, and this tells no query and nobody's name; executable by operators.
create or replace function api.compare_lookup_shadow(since timestamptz default null, until timestamptz default null)
returns table (
    name text, profile text, shadow text, queries bigint, same real, other real, lost real, gained real, matched real, shadow_matched real,
    score_change double precision, p95_ms double precision, shadow_p95_ms double precision
)
language plpgsql
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
#variable_conflict use_column
declare
    v_since constant timestamptz := coalesce(compare_lookup_shadow.since, core.now() - interval '7 days');
begin
    perform policy.require_principal();
    return query
    select
        t.name,
        r.profile,
        r.shadow_profile,
        count(*),
        avg((r.key is not distinct from r.shadow_key)::integer)::real,
        avg(((r.key <> r.shadow_key) is true)::integer)::real,
        avg((r.key is not null and r.shadow_key is null)::integer)::real,
        avg((r.key is null and r.shadow_key is not null)::integer)::real,
        avg(r.match::integer)::real,
        avg(r.shadow_match::integer)::real,
        avg(r.shadow_score - r.score),
        percentile_cont(0.95) within group (order by r.duration_ms),
        percentile_cont(0.95) within group (order by r.shadow_ms)
    from lookup.request as r
    inner join lookup.lookup_table as t on t.id = r.table_id
    inner join search.card as c on c.kind = 'lookup_table' and c.ref = t.id
    where r.shadow_profile is not null
        and r.at >= v_since
        and r.at < coalesce(compare_lookup_shadow.until, 'infinity')
        and policy.is_visible(c.rights_class, (select policy.visible_classes()))
    group by t.name, r.profile, r.shadow_profile
    order by t.name, r.profile, r.shadow_profile;
end
$function$;
comment on function api.compare_lookup_shadow(timestamptz, timestamptz) is
'Arguments: since (a week ago by default); until. Returns by lookup table and weights: queries that both answered, and the shares (0 to 1) of which the first row was the same, another, of the first only, of the shadow only; shares with a match; mean change of the first row''s score; 95th percentile of the milliseconds of either.';
grant execute on function api.compare_lookup_shadow to qm_operator;
