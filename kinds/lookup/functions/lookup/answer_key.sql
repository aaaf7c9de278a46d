-- lookup.answer_key: names with the same key are one answer: they share its probability and do not compete.
-- Names with equal normalised text are one answer. If the query is only an abbreviation (P. lepidus), all names that it
-- abbreviates equally well are one answer, too, because nothing says which of them is meant. Requested properties can
-- tell names apart.
-- The function has no SET clause, so that the planner inlines it into the statement that compares the names. Its body
-- is a RETURN, whose names are bound when the function is made and not under the caller's search_path. It is stable, as
-- format is: a function that calls one of a weaker class is not inlined.
create or replace function lookup.answer_key(p_label text, p_features real[], p_places lookup.places)
returns text
language sql
stable parallel safe security invoker
return
    case
        when p_features[(p_places).abbreviates] operator(pg_catalog.>) 0 then pg_catalog.format(
            '~%s:%s:%s',
            p_features[(p_places).abbreviates],
            p_features[(p_places).words_said],
            p_features[(p_places).evidence]
        )
        else p_label
    end operator(pg_catalog.||) pg_catalog.format(
        '|%s:%s', p_features[(p_places).property_true], p_features[(p_places).property_false]
    );
comment on function lookup.answer_key(text, real[], lookup.places) is
'Computes a key that is the same for all names between which the query does not distinguish. Such names count as one '
'answer. Arguments: p_label: the normalised name; p_features: features of the name; p_places: the places of the '
'features (lookup.places_of). Returns the key.';
grant execute on function lookup.answer_key to qm_reader;
