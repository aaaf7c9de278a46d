-- search.tokenize: splits a goal or a field of a card into tokens, both in the same way.
create or replace function search.tokenize(p_text text)
returns tsvector
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select to_tsvector('search.words'::regconfig, search.words(coalesce(p_text, '')));
$function$;
comment on function search.tokenize(text) is
'Returns the tokens with their positions: identifiers both split and whole, without accents and English stop words, '
'stemmed, and with CJK text in pairs.';
grant execute on function search.tokenize to qm_reader;
