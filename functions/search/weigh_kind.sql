-- Writes: search.kind, search.lexical.
create or replace function search.weigh_kind(p_kind text, p_field_weights real[], p_before real[])
returns void
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
begin
    if p_before is distinct from p_field_weights then
        update search.lexical as l
        set length = search.field_length(l.document, p_field_weights)
        where l.kind = p_kind;
        update search.kind as k
        set total_length = (
            select coalesce(sum(l.length::double precision), 0) from search.lexical as l where l.kind = p_kind
        )
        where k.name = p_kind;
    end if;
    if p_before is distinct from p_field_weights
        or (select k.weighed_length is null from search.kind as k where k.name = p_kind)
    then
        perform search.weigh(p_kind, null);
        perform search.store_words(p_kind, null);
    end if;
end
$function$;
comment on function search.weigh_kind(text, real[], real[]) is
'Computes the BM25 weights of all cards of a kind again, if the field weights have changed or a migration has reset '
'them. Arguments: p_kind: the kind; p_field_weights: the field weights now; p_before: the field weights before (null: '
'the kind is new).';
