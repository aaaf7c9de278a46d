create or replace function search.fold_label(p_text text)
returns text
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select lower(
        ext.unaccent(
            'ext.unaccent', regexp_replace(btrim(p_text), '[\s_-]+' collate core.c_utf8, ' ', 'g')
        ) collate core.c_utf8
    );
$function$;
comment on function search.fold_label(text) is
'Prepares a text for comparison by trigrams. Argument p_text: the text. Returns the text in lower case and without '
'accents. Each run of spaces, hyphens and underscores is replaced by one space.';
grant execute on function search.fold_label to qm_reader;
