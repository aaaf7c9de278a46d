-- lookup.can_tell: the id of the row is enough, except a bare number. The exact name is enough, too. If the query is a
-- single letter, marks and accents of the name must also agree: C is not °C. Any other query is not enough if one of
-- the following is true:
-- 1. it is a single letter, a bare number that is the id of the row, or a part of a longer word;
-- 2. it contains the names of two rows, or a number that contradicts the name;
-- 3. it is a word of at most four letters and digits, which are neither the initials nor all letters of the name;
-- 4. it denies the name or adds to the name (lookup.leaves_open).
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
'Checks whether a query says enough to identify a row. Arguments: p_query: the query; p_query_label: the normalised '
'query; p_rival: the row; p_places: the places of the features (lookup.places_of); p_in_word: true if the query is '
'only a part of a longer word; p_names_two: true if the query contains the names of two rows. Returns true if the '
'query says enough.';
