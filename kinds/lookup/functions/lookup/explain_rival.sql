create or replace function lookup.explain_rival(p_table lookup.lookup_table, p_features real[], p_has_meaning boolean)
returns jsonb
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select jsonb_build_object(
        'features', (
            select coalesce(jsonb_object_agg(e.key, e.value), '{}')
            from jsonb_each(
                search.explain_score(
                    'lookup', p_features, '{1, 1, 1}', lookup.profiles_of(p_table.name, p_has_meaning)
                )
            ) as e
            where (e.value ->> 'value')::numeric <> 0
        ),
        'vectors', case
            when not p_table.has_vectors then 'off'
            when not p_has_meaning then 'query not embedded'
            else 'compared'
        end
    );
$function$;
comment on function lookup.explain_rival(lookup.lookup_table, real[], boolean) is
'Explains the score of a row. Arguments: p_table: the lookup table; p_features: the features of the row; '
'p_has_meaning: true if the query has a vector. Returns the JSON members features (the value of each feature, and what '
'the feature adds to the learned score) and vectors (off, compared, or query not embedded).';
