-- catalog.careful_hints: of two claims that contradict each other, the more careful one stays: a tool that calls itself
-- both read-only and destructive is destructive.
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
'Returns the annotations of a tool without a claim that another claim contradicts. Argument p_annotations: annotations '
'of the tool (null: the tool has none). Returns the annotations; a tool that is declared as destructive is not '
'declared as read-only. Returns null if the tool has no annotations.';
grant execute on function catalog.careful_hints to qm_reader;
