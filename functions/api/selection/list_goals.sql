-- api.list_goals: a goal can say something that only its author may know. Therefore the row policy of receipts decides
-- which goals the caller may read. Searches of other organisations are left out, because teachings do not change them.
create or replace function api.list_goals(kinds text[] default null, maximum integer default 200)
returns table (goal text, mode text, kind text, receipt bigint, successful text[])
language plpgsql
stable parallel safe security definer
rows 200
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_kinds text[];
begin
    perform
        policy.require_principal(),
        core.require_between('maximum', list_goals.maximum, 1, 10000, 'Ask for 1 to 10000 goals.');
    v_kinds := search.require_kinds(list_goals.kinds);
    return query
    select
        r.goal,
        r.mode,
        r.kind,
        r.id,
        array(
            select c.name
            from selection.judgement as j
            inner join search.card as c on c.kind = j.kind and c.ref = j.ref
            where j.kind = r.kind and j.goal_hash = search.goal_hash(r.goal) and j.successes > 0
            order by c.name
        )
    from selection.receipt as r
    inner join policy.principal as p on p.id = r.principal_id
    where r.goal is not null
        and r.kind = any(v_kinds)
        and coalesce(p.organisation_id, 0) = coalesce(policy.organisation_id(), 0)
    order by r.id desc
    limit list_goals.maximum;
end
$function$;
comment on function api.list_goals(text[], integer) is
'Lists the goals of the newest searches of the caller''s organisation, newest first. Operators see their own goals, '
'and administrators the goals of all principals in their organisation. Arguments: kinds: kinds of card that were '
'searched (null: the default kind); maximum: maximum number of goals, from 1 to 10000. Returns for each search: the '
'goal, the search mode, the kind of card, the id of the receipt, and the cards that were called successfully for this '
'goal. Raises QM404 kind_not_found, QM422 argument_invalid.';
alter function api.list_goals owner to qm_reader;
grant execute on function api.list_goals to qm_operator;
