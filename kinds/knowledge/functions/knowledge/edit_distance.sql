-- knowledge.edit_distance: the function levenshtein of the extension fuzzystrmatch would count a swap as two changes.
-- This function counts it as one, and needs no extension.
create or replace function knowledge.edit_distance(p_left text, p_right text)
returns integer
language plpgsql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_left constant text[] := string_to_array(p_left, null);
    v_right constant text[] := string_to_array(p_right, null);
    v_width constant integer := coalesce(cardinality(v_right), 0);
    v_before integer[]; -- the row before the last
    v_last integer[] := array(select generate_series(0, v_width));
    v_row integer[];
    v_least integer;
begin
    for i in 1..coalesce(cardinality(v_left), 0) loop
        v_row := array[i];
        for j in 1..v_width loop
            v_least := least(v_last[j + 1] + 1, v_row[j] + 1, v_last[j] + (v_left[i] <> v_right[j])::integer);
            if i > 1 and j > 1 and v_left[i] = v_right[j - 1] and v_left[i - 1] = v_right[j] then
                v_least := least(v_least, v_before[j - 1] + 1);
            end if;
            v_row[j + 1] := v_least;
        end loop;
        v_before := v_last;
        v_last := v_row;
    end loop;
    return v_last[v_width + 1];
end
$function$;
comment on function knowledge.edit_distance(text, text) is
'Counts how many letters must be added, left out, replaced or swapped with their neighbour to turn one text into '
'another. Arguments: p_left and p_right: the texts. Returns the number.';
grant execute on function knowledge.edit_distance to qm_reader;
