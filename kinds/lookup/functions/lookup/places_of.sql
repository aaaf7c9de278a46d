-- lookup.places_of: the search engine multiplies the features of a name by the learned weights, so each feature has a
-- fixed position in an array. These positions are looked up only once for each query.
create or replace function lookup.places_of(p_features text[])
returns lookup.places
language plpgsql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_places lookup.places;
begin
    v_places.abbreviates := array_position(p_features, 'abbreviates');
    v_places.words_said := array_position(p_features, 'words_said');
    v_places.evidence := array_position(p_features, 'evidence');
    v_places.property_true := array_position(p_features, 'property_true');
    v_places.property_false := array_position(p_features, 'property_false');
    v_places.trigram := array_position(p_features, 'trigram');
    v_places.cosine := array_position(p_features, 'cosine');
    v_places.alias := array_position(p_features, 'alias');
    v_places.sem := array_position(p_features, 'sem');
    v_places.exact := array_position(p_features, 'exact');
    v_places.in_word := array_position(p_features, 'in_word');
    v_places.numbers_differ := array_position(p_features, 'numbers_differ');
    v_places.acronym := array_position(p_features, 'acronym');
    v_places.letters_equal := array_position(p_features, 'letters_equal');
    return v_places;
end
$function$;
comment on function lookup.places_of(text[]) is
'Finds the places that features have in the feature set "names". Argument p_features: the names of all features, in '
'their order. Returns the places, each under the name of its feature (null: there is no such feature).';
grant execute on function lookup.places_of to qm_reader;
