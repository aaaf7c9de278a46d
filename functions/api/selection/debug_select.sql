-- Writes: selection.receipt, selection.pool.
create or replace function api.debug_select(
    goal text,
    mode text default 'balanced',
    top integer default null,
    query_vector ext.vector default null,
    rerank jsonb default null,
    budget_tokens integer default null,
    kinds text[] default null
)
returns jsonb
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_cards jsonb;
    v_receipt_ids bigint[];
    v_receipt selection.receipt;
    v_counts jsonb;
begin
    select
        jsonb_agg(
            jsonb_build_object(
                'rank', f.rank,
                'kind', f.kind,
                'name', f.name,
                'origin', f.origin,
                'brief', f.brief,
                'score', f.score,
                'scores', f.scores,
                'weak', f.weak,
                'unavailable', f.unavailable
            )
            order by f.rank, f.score desc, f.name collate core.c_utf8
        ),
        array_agg(f.receipt)
    into v_cards, v_receipt_ids
    from api.search_cards(
        kinds => debug_select.kinds,
        goal => debug_select.goal,
        mode => debug_select.mode,
        top => debug_select.top,
        query_vector => debug_select.query_vector,
        rerank => debug_select.rerank,
        budget_tokens => debug_select.budget_tokens,
        explain => true
    ) as f;
    v_receipt_ids := coalesce(v_receipt_ids, array[api.last_receipt(debug_select.goal)]);
    select r.* into v_receipt from selection.receipt as r where r.id = any(v_receipt_ids) order by r.id desc limit 1;
    select coalesce(jsonb_object_agg(c.rule, c.cards), '{}')
    into v_counts
    from (
        select w.rule, sum(w.cards::bigint) as cards
        from selection.receipt as r
        cross join jsonb_each_text(r.withheld) as w (rule, cards)
        where r.id = any(v_receipt_ids)
        group by w.rule
    ) as c;

    return jsonb_build_object(
        'receipt', v_receipt.id,
        'mode', v_receipt.mode,
        'mode_label', v_receipt.mode_label,
        'duration_ms', v_receipt.duration_ms,
        'stages', v_receipt.stages,
        'counts', v_counts || jsonb_build_object(
            'offered', jsonb_array_length(jsonb_path_query_array(coalesce(v_cards, '[]'), '$[*] ? (@.rank != null)'))
        ),
        'offered', jsonb_path_query_array(coalesce(v_cards, '[]'), '$[*] ? (@.rank != null)'),
        'withheld', jsonb_path_query_array(coalesce(v_cards, '[]'), '$[*] ? (@.rank == null)')
    );
end
$function$;
comment on function api.debug_select(text, text, integer, ext.vector, jsonb, integer, text[]) is
'Runs search_cards, and explains the result. Arguments: as in search_cards, but without session, explain and scope. '
'Returns JSON with these members: receipt: id of the receipt, which is the record of the search (the newest receipt, '
'if several kinds were searched); mode: name of the search mode; mode_label: name of the mode with digits that change '
'with the mode''s settings; duration_ms: duration in milliseconds; stages: milliseconds of each stage; counts: number '
'of returned cards, and number of cards that each rule withheld; offered: the returned cards; withheld: the withheld '
'cards. Raises the errors of api.search_cards.';
alter function api.debug_select owner to qm_reader;
grant execute on function api.debug_select to qm_operator;
