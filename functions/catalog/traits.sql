-- catalog.traits: if an annotation is missing, the default of the protocol applies: a tool that is not read-only may be
-- destructive.
create or replace function catalog.traits(p_annotations jsonb)
returns text[]
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select case
        when h.hints @> '{"readOnlyHint": true}' then '{read_only}'::text[]
        when h.hints @> '{"destructiveHint": false}' then '{}'
        else '{destructive}'
    end
    from catalog.careful_hints(p_annotations) as h (hints);
$function$;
comment on function catalog.traits(jsonb) is
'Translates the annotations of a tool into traits, by which rules can select the tool. Argument p_annotations: '
'annotations of the tool (null: the tool has none). Returns {read_only} for a read-only tool, an empty array for a '
'tool that is declared as not destructive, otherwise {destructive}.';
