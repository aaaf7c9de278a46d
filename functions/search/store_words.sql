-- search.store_words: pg_search has no weights for fields, so each token is stored several times: twice the weight of
-- its field. The BM25 of pg_search then weights the fields in the same way as search.bm25. Without the capability
-- pg_search, the function writes nothing. The caller must hold the kind's lock.
-- Writes: search.words.
create or replace function search.store_words(p_kind text, p_card_ids bigint[])
returns void
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
begin
    if not core.has_capability('pg_search') then
        return;
    end if;
    insert into search.words as w (id, kind, words)
    select
        l.card_id,
        l.kind,
        (
            select coalesce(string_agg(repeat(u.lexeme || ' ', f.times), '' order by u.lexeme collate core.c_utf8), '')
            from unnest(l.document) as u
            cross join lateral (
                select round(2 * sum(k.field_weights[ascii(p.field) - 64]))::integer as times
                from unnest(u.weights) as p (field)
            ) as f
        )
    from search.lexical as l
    inner join search.kind as k on k.name = l.kind and k.index_type = 'text'
    where l.kind = p_kind and (p_card_ids is null or l.card_id = any(p_card_ids))
    on conflict (id) do update set words = excluded.words;
end
$function$;
comment on function search.store_words(text, bigint[]) is
'Stores, for each card, the tokens that pg_search indexes. Arguments: p_kind: kind of card; p_card_ids: ids of the '
'cards (null: all cards of the kind).';
