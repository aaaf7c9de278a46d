-- selection.choose_mode: a reranked search needs two calls, and both must use the same settings. Therefore, the choice
-- depends only on the principal and the goal.
create or replace function selection.choose_mode(p_mode text, p_goal text)
returns selection.mode
language plpgsql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_mode constant selection.mode := selection.require_mode(p_mode);
    v_share constant numeric := (
        'x' || left(md5(p_goal || '/' || coalesce(policy.principal_id(), 0)), 8)
    )::bit(32)::bigint % 10000 / 100.0;
    v_canary jsonb;
begin
    select c.settings into v_canary from selection.canary as c where c.mode = p_mode and v_share < c.percent;
    return case when v_canary is null then v_mode else jsonb_populate_record(v_mode, v_canary) end;
end
$function$;
comment on function selection.choose_mode(text, text) is
'Chooses the settings for a search. A fixed share of all goals uses the settings of the mode''s canary (a trial of '
'other settings). Arguments: p_mode: name of the search mode; p_goal: the goal. Returns the mode. If the goal belongs '
'to the canary''s share, the returned mode contains the settings of the canary. Raises QM422 mode_unknown.';
grant execute on function selection.choose_mode to qm_reader;
