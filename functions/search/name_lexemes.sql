-- search.name_lexemes: each lexeme begins with the name of the origin, because lexemes are counted for each origin
-- separately. A lexeme that is rare in one set of names may be common in another.
create or replace function search.name_lexemes(p_origin text, p_label text)
returns text[]
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select array(
        select p_origin || ':' || g.gram
        from unnest(ext.show_trgm(left(p_label, 400))) as g (gram)
        union
        select p_origin || '=' || left(w.word, 100)
        from unnest((string_to_array(p_label, ' '))[1:30]) as w (word)
    );
$function$;
comment on function search.name_lexemes(text, text) is
'Splits a name into trigrams and words. Stored names and queries are split in the same way. Arguments: p_origin: name '
'of the origin; p_label: the normalised name. Only the first 400 characters are split into trigrams, and only the '
'first 30 words are returned. Returns the trigrams and words, each with the name of the origin in front.';
