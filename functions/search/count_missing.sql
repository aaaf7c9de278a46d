-- search.count_missing: cards of a hidden kind do not count (its folder is no longer named in the settings).
create or replace function search.count_missing(p_model_id integer)
returns bigint
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select count(distinct c.text_hash)
    from search.card as c
    inner join search.kind as k on k.name = c.kind and k.audience_id is null
    where not exists (
        select from search.embedding as e
        where e.model_id = p_model_id and e.text_hash = c.text_hash and e.kind = c.kind
    );
$function$;
comment on function search.count_missing(integer) is
'Counts the card texts for which the given model has computed no vector yet. Each text is counted once. Argument '
'p_model_id: id of the embedding model. Returns the number of texts.';
