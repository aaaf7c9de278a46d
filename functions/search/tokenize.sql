-- search.tokenize: goals and fields of cards are split in the same way.
create or replace function search.tokenize(p_text text)
returns tsvector
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select to_tsvector('search.words'::regconfig, search.words(coalesce(p_text, '')));
$function$;
comment on function search.tokenize(text) is
'Splits a text into tokens. Argument p_text: the text. Returns the tokens with their positions. An identifier is '
'returned both whole and split into words. Accents and English stop words are removed. Words are reduced to stems. CJK '
'text is split into pairs of characters.';
grant execute on function search.tokenize to qm_reader;
