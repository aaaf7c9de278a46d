create or replace function api.lookup_rows(
    lookup text,
    after text default null,
    maximum integer default 50,
    in_language text default null,
    active_only boolean default true,
    skipped integer default 0
)
returns table (id text, value text, aliases text[], language text, active boolean, domain text)
language plpgsql
stable parallel unsafe security definer
rows 50
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_table_id constant integer := lookup.require_table(lookup_rows.lookup);
begin
    perform core.require_between(
        'the size of a page', lookup_rows.maximum, 1, 1000, 'Ask for 1 to 1000 rows, and continue after the last id.'
    );
    if lookup_rows.skipped is null or lookup_rows.skipped < 0 then
        perform core.fail(
            'argument_invalid',
            format('the number of rows to skip must be 0 or more, got %s', coalesce(lookup_rows.skipped::text, 'null')),
            null,
            'Give a number that is 0 or greater.'
        );
    end if;
    return query
    select r.key, r.value, r.aliases, r.language, r.active, r.domain
    from lookup.lookup_row as r
    where r.table_id = v_table_id
        and r.key > coalesce(lookup_rows.after, '')
        and (r.active or not lookup_rows.active_only)
        and (lookup_rows.in_language is null or r.language = lookup_rows.in_language)
    order by r.key
    limit lookup_rows.maximum
    offset lookup_rows.skipped;
end
$function$;
comment on function api.lookup_rows(text, text, integer, text, boolean, integer) is
'Reads a page of the rows of a lookup table, in the order of the ids. Arguments: lookup: name of the lookup table; '
'after: id of the last row of the previous page (null: this page is the first); maximum: maximum number of rows on the '
'page (1 to 1000); in_language: return only rows in this language (null: all languages); active_only: true to return '
'only active rows; skipped: number of rows to skip before the page begins. Returns the id, value, aliases, language '
'and domain of each row, and whether the row is active. Raises QM404 unsupported_table, QM422 argument_invalid.';
alter function api.lookup_rows owner to qm_reader;
grant execute on function api.lookup_rows to qm_user;
