-- api.rerank: the function calls search.rerank with EXECUTE, because search.rerank exists only if the server has
-- PL/Python.
-- Definer: callers have no permission to call search.rerank, because whoever calls it chooses a folder whose files the
-- server loads. They still cannot choose a folder, because this function takes it from the setting reranker.directory.
create or replace function api.rerank(query text, texts text[])
returns real[]
language plpgsql
stable parallel unsafe security definer strict
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_scores real[];
begin
    perform policy.require_principal();
    if array_ndims(rerank.texts) > 1 then
        perform core.fail(
            'argument_invalid', 'texts must be a one-dimensional array', null, 'Give a plain list of texts.'
        );
    end if;
    if length(rerank.query) + (select coalesce(sum(length(x.text)), 0) from unnest(rerank.texts) as x (text))
        > 10 * core.get_setting('goal.max_length')::integer then
        perform core.fail(
            'goal_too_long', 'the query and the texts together are too long', null, 'Rerank fewer or shorter texts.'
        );
    end if;
    if not core.has_capability('rerank') then
        perform core.fail(
            'reranker_missing',
            'this database cannot rerank',
            (select c.reason from core.capability as c where c.name = 'rerank')
        );
    end if;
    execute 'select search.rerank($1, $2, $3)' into v_scores
    using rerank.query, array_replace(rerank.texts, null, ''), core.get_setting('reranker.directory') #>> '{}';
    return v_scores;
end
$function$;
comment on function api.rerank(text, text[]) is
'Scores how well texts match a question. The score comes from a reranker model in the database. Arguments: query: the '
'question; texts: the texts. Returns one score for each text, in the order of the texts. Higher is better; the scale '
'depends on the model. Example: select rerank(''what time is it'', array[''clock'', ''calendar'']). The function needs '
'PL/Python and a reranker in the settings (capability rerank); select_tools works without this function. Raises QM501 '
'reranker_missing, QM413 goal_too_long, QM422 argument_invalid.';
grant execute on function api.rerank to qm_user;
