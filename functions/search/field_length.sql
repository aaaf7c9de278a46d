-- search.field_length: the formula is from Robertson, Zaragoza, Taylor, Simple BM25 extension to multiple weighted
-- fields (CIKM 2004).
create or replace function search.field_length(p_document tsvector, p_field_weights real[])
returns real
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select coalesce(sum(p_field_weights[ascii(f.field) - 64]), 0)::real
    from unnest(p_document) as u
    cross join unnest(u.weights) as f (field);
$function$;
comment on function search.field_length(tsvector, real[]) is
'Computes the length of a document for BM25. Arguments: p_document: tokens of the document, each with the label of a '
'field (A, B, C or D); p_field_weights: weights of the four fields. Returns the length: the sum of the field weights '
'of all tokens.';
