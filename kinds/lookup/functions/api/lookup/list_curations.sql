-- api.list_curations: only curators may call this function.
create or replace function api.list_curations(lookup text, row_id text default null, maximum integer default 100)
returns table (
    id text, value text, kind text, alias text, provenance jsonb, reason text, curator text, curated_at timestamptz
)
language plpgsql
stable parallel unsafe security definer
rows 100
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_table_id integer;
begin
    perform policy.require_curator();
    v_table_id := lookup.require_table(list_curations.lookup);
    perform core.require_between(
        'the number of changes', list_curations.maximum, 1, 1000, 'Ask for 1 to 1000 changes.'
    );
    return query
    select u.key, r.value, u.kind, nullif(u.alias, ''), u.provenance, u.reason, u.curator, u.curated_at
    from lookup.curation as u
    left join lookup.lookup_row as r on r.table_id = u.table_id and r.key = u.key
    left join lookup.lookup_name as n on n.row_id = r.id and not n.is_alias
    left join search.card as c on c.kind = 'lookup' and c.ref = n.id
    where u.table_id = v_table_id
        and (list_curations.row_id is null or u.key = list_curations.row_id)
        and (r.id is null or policy.is_visible(c.rights_class, (select policy.visible_classes())))
    order by u.curated_at desc, u.id desc
    limit list_curations.maximum;
end
$function$;
comment on function api.list_curations(text, text, integer) is
'Lists the changes that curators made to rows of a lookup table, newest first, including changes to rows that are now '
'missing from the table''s source. Arguments: lookup: name of the lookup table; row_id: id of a row (null: all rows); '
'maximum: maximum number of changes (1 to 1000). Returns for each change: the id of the row; the value of the row '
'(null: the row is now missing from the source); the kind of change (alias, retirement or provenance); the alias or '
'the provenance that was added; the reason; the curator; and the time. Raises QM403 curator_required, QM404 '
'unsupported_table, QM422 argument_invalid. Can be null: value, alias.';
grant execute on function api.list_curations to qm_user;
