-- search.fold_label: prepares labels of cards and goals for the comparison by trigrams.
create or replace function search.fold_label(p_text text)
returns text
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select lower(ext.unaccent('ext.unaccent', regexp_replace(btrim(p_text), '[\s_-]+', ' ', 'g')));
$function$;
comment on function search.fold_label(text) is 'Returns lower case, accents removed, separators replaced by one space.';
grant execute on function search.fold_label to qm_user;
