-- lookup.answer_key: names with the same key share one probability. Names with equal normalised text have the same key.
-- If the query is only an abbreviation (P. lepidus), all names that it abbreviates equally well have the same key, too,
-- because nobody can know which of them is meant. If the rows fit the requested properties differently, the keys
-- differ.
-- The planner must inline the function, so it has no SET clause. Its body is a RETURN statement. PostgreSQL therefore
-- resolves its identifiers when the function is created, and not with the caller's search_path. The function is marked
-- as stable, because it calls format, which is stable: PostgreSQL would not inline an immutable function that calls a
-- stable one.
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
