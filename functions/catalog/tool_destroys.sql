-- catalog.tool_destroys: the name decides, because most servers send no annotations, and many of the others declare a
-- tool destructive although it only writes a file. Annotations that declare the tool harmless are believed.
create or replace function catalog.tool_destroys(p_name text, p_annotations jsonb)
returns text
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select (tsvector_to_array(search.tokenize(m.word[1])))[1]
    from regexp_match(
        lower(search.split_identifiers(p_name) collate core.c_utf8),
        '(^drop\M|\m(?:delete|remove|clear|destroy|erase|purge|revoke|uninstall|kill|terminate|truncate|prune|wipe'
        '|cancel|forget|expire)\M)' collate core.c_utf8
    ) as m (word)
    cross join catalog.careful_hints(p_annotations) as h (hints)
    where (h.hints @> '{"readOnlyHint": true}' or h.hints @> '{"destructiveHint": false}') is not true;
$function$;
comment on function catalog.tool_destroys(text, jsonb) is
'Finds the word in a tool''s name that shows that the tool destroys something. Arguments: p_name: name of the tool; '
'p_annotations: annotations of the tool (null: the tool has none). Returns the stem of this word, such as delet for '
'delete_file. Returns null if there is no such word.';
