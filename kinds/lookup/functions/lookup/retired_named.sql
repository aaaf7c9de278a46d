-- lookup.retired_named: a query can name a row in three ways, best first: (1) its text is equal to the name, letter by
-- letter; (2) its text is equal to the name after normalisation; (3) the row belongs to the first answer, and this
-- answer is probable enough. If rows are named in different ways, only the rows that are named in the best way count.
create or replace function lookup.retired_named(
    p_rivals lookup.rival[], p_query text, p_exact integer, p_first_counts boolean
)
returns bigint[]
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select case when bool_and(not k.active) then array_agg(k.row_id) end
    from (select n.*, max(n.named) over () as most from (
        select
            r.row_id,
            r.active,
            case
                when lower(btrim(r.name) collate core.c_utf8) = lower(btrim(p_query) collate core.c_utf8) then 3
                when r.features[p_exact] = 1 then 2
                when r.answer = (p_rivals[1]).answer and p_first_counts then 1
                else 0
            end as named
        from unnest(p_rivals) as r
    ) as n) as k
    where k.named = k.most and k.most > 0;
$function$;
comment on function lookup.retired_named(lookup.rival[], text, integer, boolean) is
'Finds the retired rows that a query to a lookup table names. Arguments: p_rivals: the rows to which the query may '
'refer, best first; p_query: the query; p_exact: the position of the feature "exact" in the features; p_first_counts: '
'true if the first answer is so probable that the query names its rows. Returns the ids of the rows (null: the query '
'names no row, or an active one).';
