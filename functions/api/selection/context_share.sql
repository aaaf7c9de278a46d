-- api.context_share: if a goal can be understood alone, its context makes the ranking worse (lab/notes/selection.md). A
-- goal needs its context if it refers to earlier words ("the same", "it", "the other one") and names at most two things
-- itself. An example is "do the same for the other file".
create or replace function api.context_share(goal text)
returns real
language sql
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
    select case
        when
            context_share.goal ~* (core.get_setting('context.points_back') #>> '{}') collate core.c_utf8
            and (
                select count(distinct w.word)
                from regexp_split_to_table(
                    lower(left(context_share.goal, 500) collate core.c_utf8), '[^[:alnum:]]+' collate core.c_utf8
                ) as w (word)
                where w.word <> '' and ts_lexize('english_stem', w.word) <> '{}'
            ) <= 2
            then (core.get_setting('context.share'))::real
        else 0
    end;
$function$;
comment on function api.context_share(text) is
'Returns the share of a goal''s vector that should come from the context (what was said before). Argument goal: what '
'the caller wants to do. Returns a number from 0 to 1, which is 0 if the goal can be understood without the context. '
'Can be null: result.';
alter function api.context_share owner to qm_reader;
grant execute on function api.context_share to qm_user;
