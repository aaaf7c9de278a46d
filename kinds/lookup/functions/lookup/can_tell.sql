-- lookup.can_tell: the id of the row does, and so does exactly its name; for a single letter, marks and accents count:
-- C is not °C. Otherwise, these do not: a single letter, a bare number that is the id of the row, a part of a longer
-- word, the names of two rows, a number that differs, a word of at most four letters and digits that is not made of the
-- initials or the letters of the name, and a text that denies the name or adds to it (lookup.leaves_open).
create or replace function lookup.can_tell(
    p_query text,
    p_query_label text,
    p_rival lookup.rival,
    p_places lookup.places,
    p_in_word boolean,
    p_names_two boolean
)
returns boolean
language plpgsql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_marks constant text := E' \t\n.,;:()[]"''';
    v_is_number constant boolean := btrim(p_query) ~ '^[0-9]+$';
    v_is_letter constant boolean := length(btrim(p_query, v_marks)) = 1;
    v_is_short constant boolean := p_query_label ~ '^[[:alnum:]]{1,4}$' collate core.c_utf8;
begin
    if p_rival.is_key and not v_is_number then
        return true;
    end if;
    if p_rival.features[p_places.exact] = 1 and (
        not v_is_letter
        or lower(btrim(p_rival.name, v_marks) collate core.c_utf8) = lower(btrim(p_query, v_marks) collate core.c_utf8)
    ) then
        return true;
    end if;
    return not (
        v_is_letter
        or p_rival.is_key and v_is_number
        or p_in_word
        or p_names_two
        or p_rival.features[p_places.numbers_differ] = 1
    )
    and not (
        v_is_short
        and not (p_rival.features[p_places.acronym] = 1 or p_rival.features[p_places.letters_equal] = 1)
    )
    and not lookup.leaves_open(p_query, p_rival.name);
end
$function$;
comment on function lookup.can_tell(text, text, lookup.rival, lookup.places, boolean, boolean) is
'Checks whether a query says enough to mean a row. Arguments: p_query: the query; p_query_label: the normalised query; '
'p_rival: the row; p_places: the places of the features (lookup.places_of); p_in_word: true if the query is only a '
'part of a longer word; p_names_two: true if the query holds the names of two rows. Returns true if it does.';
