create or replace function api.lookup_tables()
returns table (
    name text,
    description text,
    domain text,
    languages text[],
    properties text[],
    rows integer,
    names integer,
    threshold real,
    gap real,
    at_precision real,
    version bigint,
    loaded_at timestamptz,
    has_vectors boolean,
    status text
)
language plpgsql
stable parallel safe security definer
rows 20
set search_path = pg_catalog, pg_temp
as $function$
begin
    perform policy.require_principal();
    return query
    select
        t.name,
        t.description,
        coalesce(nullif(t.domain, ''), r.domain, ''),
        r.languages,
        t.properties,
        t.rows,
        t.names,
        t.threshold,
        t.gap,
        t.at_precision,
        t.version,
        t.loaded_at,
        t.has_vectors,
        case when t.rows > 0 then 'ready' else 'empty' end
    from lookup.lookup_table as t
    cross join lateral (
        select
            coalesce(array_agg(distinct x.language) filter (where x.language <> ''), '{}') as languages,
            case when min(x.domain) = max(x.domain) then min(x.domain) end as domain
        from lookup.lookup_row as x
        where x.table_id = t.id
    ) as r
    order by t.name;
end
$function$;
comment on function api.lookup_tables() is
'Lists the lookup tables. Returns for each lookup table: its name, description and domain; the languages and '
'properties of its rows; the number of its rows and of its names; the lowest probability that an answer may have '
'(threshold); the minimum difference in probability between the first and the second answer for the first answer to be '
'a match (gap); the precision for which the threshold was learned; the number of the last change; the time of the last '
'load; whether the names have vectors; and the status (ready, or empty if the table has no rows). Can be null: '
'at_precision, loaded_at.';
alter function api.lookup_tables owner to qm_reader;
grant execute on function api.lookup_tables to qm_user;
