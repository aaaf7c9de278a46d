-- selection.count_selections: only kinds that have outcomes (search.kind.has_outcomes) are counted. A search saves the
-- tokens of all cards that the principal may see now, minus the tokens of the cards that it returned. As in
-- stats.count_calls, every hour with a new search is counted again in full.
-- Writes: stats.selection_hour, stats.watermark.
create or replace function selection.count_selections()
returns bigint
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_now constant timestamptz := core.now();
    v_keep constant interval := (core.get_setting('receipt.keep') #>> '{}')::interval;
    v_from constant timestamptz := stats.counted_to('selections');
    v_kept_from constant timestamptz := case when v_keep > interval '0' then v_now - v_keep else '-infinity' end;
    v_kinds constant text[] := array(select k.name from search.kind as k where k.has_outcomes);
    v_hours timestamptz[];
    v_selections bigint;
begin
    v_hours := array(
        select distinct date_bin('1 hour', r.created_at, '2000-01-01 00:00+00')
        from selection.receipt as r
        where r.created_at > v_from - interval '10 minutes'
            and r.created_at >= v_kept_from + interval '1 hour'
            and r.kind = any(v_kinds)
    );
    delete from stats.selection_hour as h where h.hour = any(v_hours);

    with receipt as materialized (
        select
            x.hour,
            r.kind,
            r.principal_id,
            r.mode,
            r.duration_ms,
            stats.duration_bucket(r.duration_ms) as bucket,
            jsonb_array_length(r.offered) as offered,
            (
                select coalesce(sum((o.offer #>> '{scores,tokens}')::numeric), 0)
                from jsonb_array_elements(r.offered) as o (offer)
            ) as tokens
        from unnest(v_hours) as x (hour)
        inner join selection.receipt as r on r.created_at >= x.hour and r.created_at < x.hour + interval '1 hour'
        where r.kind = any(v_kinds) and r.principal_id is not null
    ),

    list as materialized (
        select p.kind, p.principal_id, coalesce(sum(c.tokens), 0) as tokens
        from (
            select d.kind, d.principal_id, policy.rights_of(d.principal_id) as visible
            from (select distinct kind, principal_id from receipt) as d
        ) as p
        left join (
            select x.kind, x.rights_class, sum(x.tokens) as tokens
            from search.card as x
            where x.kind = any(v_kinds)
            group by x.kind, x.rights_class
        ) as c
            on c.kind = p.kind and policy.is_visible(c.rights_class, p.visible)
        group by p.kind, p.principal_id
    ),

    counted as (
        select
            r.hour,
            r.kind,
            r.principal_id,
            r.mode,
            r.bucket,
            count(*) as selections,
            count(*) filter (where r.offered = 0) as empty,
            sum(r.offered) as offered,
            sum(r.tokens) as tokens,
            sum(r.duration_ms) as duration_ms
        from receipt as r
        group by r.hour, r.kind, r.principal_id, r.mode, r.bucket
    )

    insert into stats.selection_hour (
        hour, kind, principal_id, mode, selections, empty, offered, tokens_sent, tokens_full, duration_ms, durations
    )
    select
        n.hour,
        n.kind,
        n.principal_id,
        n.mode,
        sum(n.selections),
        sum(n.empty),
        sum(n.offered),
        sum(n.tokens),
        sum(n.selections) * max(l.tokens),
        sum(n.duration_ms),
        jsonb_object_agg(n.bucket, n.selections)
    from counted as n
    inner join list as l on l.kind = n.kind and l.principal_id = n.principal_id
    group by n.hour, n.kind, n.principal_id, n.mode;

    update stats.watermark as w set counted_to = v_now where w.name = 'selections';
    select coalesce(sum(h.selections), 0) into v_selections from stats.selection_hour as h where h.hour = any(v_hours);
    return v_selections;
end
$function$;
comment on function selection.count_selections() is
'Counts, for each hour in which there are new searches (selections), all searches in this hour and the tokens that '
'these searches saved. Returns the number of searches in these hours.';
