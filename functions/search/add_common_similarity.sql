-- search.add_common_similarity: the similarities are computed in advance, because a search has no time for this. They
-- do not depend on the goal of the search.
-- Writes: search.common_similarity.
create or replace function search.add_common_similarity()
returns trigger
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
begin
    insert into search.common_similarity as s (model_id, kind, text_hash, highest, mean)
    select w.model_id, w.kind, w.text_hash, c.highest, c.mean
    from written as w
    cross join lateral search.measure_common(w.model_id, w.vector) as c
    on conflict (model_id, text_hash, kind) do update set highest = excluded.highest, mean = excluded.mean;
    return null;
end
$function$;
comment on function search.add_common_similarity() is
'Trigger that computes and stores the similarity of new vectors to the common goals of the same model. (Common goals '
'are vectors that represent what people often ask for.) It runs after each statement, and reads the new rows from a '
'transition table called "written".';
