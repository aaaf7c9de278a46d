-- search.document: only the first 20,000 characters of each field are split, so that the tsvector stays below its limit
-- of 1 MB.
create or replace function search.document(p_fields jsonb)
returns tsvector
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select setweight(search.tokenize(left(p_fields ->> 0, 20000)), 'A')
        || setweight(search.tokenize(left(p_fields ->> 1, 20000)), 'B')
        || setweight(search.tokenize(left(p_fields ->> 2, 20000)), 'C')
        || setweight(search.tokenize(left(p_fields ->> 3, 20000)), 'D');
$function$;
comment on function search.document(jsonb) is
'Splits the fields of a card into tokens. Argument p_fields: JSON array of four texts: name, title and origin, '
'description, parameters. Returns a tsvector. Its tokens have the label A for the first text, B for the second text, C '
'for the third text, and D for the fourth text.';
