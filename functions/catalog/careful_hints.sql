-- catalog.careful_hints: a tool that calls itself both read-only and destructive is treated as destructive, because
-- this is the more careful choice.
create or replace function catalog.careful_hints(p_annotations jsonb)
returns jsonb
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select p_annotations || case
        when p_annotations @> '{"readOnlyHint": true, "destructiveHint": true}' then '{"readOnlyHint": false}'::jsonb
        else '{}'
    end;
$function$;
comment on function catalog.careful_hints(jsonb) is
'Returns the annotations of a tool without contradictions. Argument p_annotations: annotations of the tool (null: the '
'tool has none). Returns the annotations; a tool that is declared as destructive is not declared as read-only. Returns '
'null if the tool has no annotations.';
grant execute on function catalog.careful_hints to qm_reader;
