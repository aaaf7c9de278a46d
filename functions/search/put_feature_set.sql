-- Writes: search.feature_set.
create or replace function search.put_feature_set(
    p_name text, p_description text, p_candidates_function text, p_features text[], p_channels text[] default null
)
returns void
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
begin
    if to_regproc(p_candidates_function) is null then
        perform core.fail(
            'argument_invalid',
            format(
                'there is no function called %s; name an existing function that finds candidates', p_candidates_function
            )
        );
    end if;
    insert into search.feature_set as s (name, description, candidates_function, features, channels)
    values (
        p_name, p_description, p_candidates_function, p_features,
        coalesce(p_channels, array_fill(null::text, array[cardinality(p_features)]))
    )
    on conflict (name) do update
    set
        description = excluded.description,
        candidates_function = excluded.candidates_function,
        features = excluded.features,
        channels = excluded.channels;
end
$function$;
comment on function search.put_feature_set(text, text, text, text[], text[]) is
'Creates or updates a feature set, which defines how cards of a kind are scored. Arguments: p_name: name of the '
'feature set; p_description: description of the feature set; p_candidates_function: name of the function that finds '
'candidates (see search.feature_set); p_features: names of the features, in the order in which the function returns '
'the features; p_channels: channel of each feature (null: the feature belongs to no channel). Raises QM422 '
'argument_invalid.';
