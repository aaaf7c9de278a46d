-- catalog.asset_core: a change to the part that a model reads makes a new version, which needs approval. The other
-- members (the size and date of a file, icons, _meta) change often, and their changes need no approval.
create or replace function catalog.asset_core(p_definition jsonb)
returns jsonb
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select (p_definition - '{icons,_meta,size,annotations}'::text[])
        || case
            when jsonb_typeof(p_definition -> 'annotations') = 'object'
                and (p_definition -> 'annotations') - 'lastModified' <> '{}'
                then jsonb_build_object('annotations', (p_definition -> 'annotations') - 'lastModified')
            else '{}'
        end;
$function$;
comment on function catalog.asset_core(jsonb) is
'Returns the part of a definition that a model reads, for a resource, a template, a prompt or the instructions of a '
'server. Argument p_definition: the definition, in the form in which the origin lists the item. Returns the definition '
'without icons, _meta, size and annotations.lastModified.';
grant execute on function catalog.asset_core to qm_reader;
