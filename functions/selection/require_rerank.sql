create or replace function selection.require_rerank(p_rerank jsonb)
returns jsonb
language plpgsql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
begin
    if p_rerank is null or jsonb_typeof(p_rerank) = 'null' then
        return null;
    end if;
    if jsonb_typeof(p_rerank) <> 'object'
        or jsonb_typeof(p_rerank -> 'model') is distinct from 'string'
        or jsonb_typeof(p_rerank -> 'scores') is distinct from 'object'
        or jsonb_path_exists(p_rerank, 'strict $.scores.* ? (@.type() <> "number" || @.abs() > 1e30)')
    then
        perform core.fail(
            'argument_invalid',
            'rerank must be {"model": name, "scores": {card id: number}}',
            null,
            'Send the scores of the cards that rerank_candidates returned, as numbers between -1e30 and 1e30.'
        );
    end if;
    return p_rerank;
end
$function$;
comment on function selection.require_rerank(jsonb) is
'Checks the scores of a cross-encoder. Argument p_rerank: the scores, as in api.search_cards (null: no scores). '
'Returns the argument. Returns null if the argument is null or JSON''s null. Raises QM422 argument_invalid if the '
'scores are invalid.';
grant execute on function selection.require_rerank to qm_reader;
