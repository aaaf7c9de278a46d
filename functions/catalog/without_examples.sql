-- catalog.without_examples: an example such as (e.g., 'Asia/Tokyo') shows the form of a value. It says nothing about
-- the purpose of the tool, so a search must not find the tool by its words. Examples without quotes stay, because they
-- often name the topic of a parameter (lab/notes/selection.md#words-that-are-examples).
create or replace function catalog.without_examples(p_text text)
returns text
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select regexp_replace(
        p_text,
        '(e\.\s?g\.?|\meg\M\.?|for example|for instance|such as|\mexamples?:)[,:]?\s*'
        '((or|and|,|/)?\s*(''[^'']*''|"[^"]*"|`[^`]*`)\s*,?\s*)+' collate core.c_utf8,
        ' ',
        'gi'
    );
$function$;
comment on function catalog.without_examples(text) is
'Removes quoted values that a text gives as examples. Argument p_text: the text. Returns the text without quoted '
'values that follow the words "e.g.", "for example", "for instance", "such as" or "example:".';
