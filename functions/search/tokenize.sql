-- search.tokenize: the tokens of a goal or of one field of a card; the same for both.
create or replace function search.tokenize(p_text text)
returns tsvector
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select to_tsvector('search.words'::regconfig, search.words(coalesce(p_text, '')));
$function$;
comment on function search.tokenize(text) is 'Tokens with positions: identifiers split and whole, accents folded, English stop words out, stemmed, CJK in pairs.';
grant execute on function search.tokenize to qm_user;
