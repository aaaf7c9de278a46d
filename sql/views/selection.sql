-- Compares modes and canaries: their searches, and the outcomes. The view counts only receipts that were already used
-- for learning.
create or replace view selection.mode_outcome with (security_invoker = true) as
select
    r.mode,
    r.mode_label,
    count(*) as selections,
    sum(jsonb_array_length(r.offered)) as offers,
    count(o.calls) as called,
    round(count(o.calls)::numeric / count(*), 4) as called_share,
    round(count(*) filter (where o.successes > 0)::numeric / nullif(count(o.calls), 0), 4)
        as success_share,
    round(avg(o.rank)::numeric, 2) as mean_rank,
    round(avg(r.duration_ms)::numeric, 2) as mean_ms,
    min(r.created_at) as since,
    max(r.created_at) as until
from selection.receipt as r
left join lateral (
    select
        sum(x.calls) as calls,
        sum(x.successes) as successes,
        min(x.rank) as rank
    from selection.outcome as x
    where x.receipt_id = r.id
) as o on true
where
    r.learned_at is not null
    and r.kind in (select k.name from search.kind as k where k.has_outcomes)
group by r.mode, r.mode_label;
comment on view selection.mode_outcome is
'Compares search modes and their trials (canaries). Returns for each mode or trial: the number of searches and of '
'offered cards; the number and the share of searches that led to a call; of these searches, the share that led to a '
'successful call; the mean rank of the first tool that was called; the mean duration of a search, in milliseconds; and '
'the times of the first and the last search.';
grant select on selection.mode_outcome to qm_admin;
