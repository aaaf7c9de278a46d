-- selection.require_goal: error messages use the caller's word for the goal, such as question.
create or replace function selection.require_goal(p_goal text, p_word text default 'goal')
returns text
language plpgsql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_goal constant text := regexp_replace(coalesce(p_goal, ''), '^\s+|\s+$' collate core.c_utf8, '', 'g');
    v_limit constant integer := (core.get_setting('goal.max_length'))::integer;
begin
    if v_goal = '' then
        perform core.fail('goal_empty', format('the %s is empty', p_word));
    end if;
    if length(v_goal) > v_limit then
        perform core.fail(
            'goal_too_long',
            format('the %s is %s characters long, but the limit is %s', p_word, length(v_goal), v_limit)
        );
    end if;
    return v_goal;
end
$function$;
comment on function selection.require_goal(text, text) is
'Checks that a goal is neither empty nor too long. Arguments: p_goal: the goal; p_word: word for the goal in the error '
'message, such as question. Returns the goal without spaces at both ends. Raises QM422 goal_empty or QM413 '
'goal_too_long.';
grant execute on function selection.require_goal to qm_reader;
