-- Writes: lookup.lookup_table, cards.
create or replace function api.create_lookup(name text, description text default null, domain text default null)
returns integer
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
begin
    perform policy.require_principal();
    if create_lookup.name is null or create_lookup.name !~ '^[A-Za-z][A-Za-z0-9_.-]{0,62}$' then
        perform core.fail(
            'argument_invalid',
            format('%L is not a valid name for a lookup table', left(create_lookup.name, 100)),
            null,
            'Start with a letter, then use letters, digits, dots, hyphens and underscores, at most 63 characters in '
            'all.'
        );
    end if;
    -- No lookup table can have one of these names, because the reconciliation API uses them as paths.
    if create_lookup.name in ('extend', 'flyout', 'match', 'preview', 'suggest', 'view') then
        perform core.fail(
            'argument_invalid',
            format(
                '%L is an endpoint of the reconciliation API, so no lookup table can have this name', create_lookup.name
            ),
            null,
            format('Choose another name, such as %s_table.', create_lookup.name)
        );
    end if;
    return lookup.put_table(create_lookup.name, create_lookup.description, create_lookup.domain);
end
$function$;
comment on function api.create_lookup(text, text, text) is
'Creates a lookup table, or changes the description and the domain of a lookup table. Arguments: name: name of the '
'lookup table; description: what the rows are; domain: subject of the rows. For description and domain, null keeps the '
'current value. Returns the id of the lookup table. Raises QM422 argument_invalid.';
grant execute on function api.create_lookup to qm_operator;
