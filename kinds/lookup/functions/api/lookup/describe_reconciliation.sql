create or replace function api.describe_reconciliation(lookup text default null)
returns jsonb
language plpgsql
stable parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_table_ids constant integer[] := lookup.visible_tables(describe_reconciliation.lookup);
begin
    return jsonb_build_object(
        'max_batch', core.get_setting('lookup.max_batch'),
        'tables', coalesce((
            select jsonb_agg(jsonb_build_object(
                'name', t.name,
                'description', t.description,
                'domain', t.domain,
                'rows', t.rows,
                'properties', t.properties
            ) order by t.name)
            from lookup.lookup_table as t
            where t.id = any(v_table_ids)
        ), '[]')
    );
end
$function$;
comment on function api.describe_reconciliation(text) is
'Collects the data for the manifest (description) of the reconciliation API, for one lookup table or for all tables '
'that the caller may see. Argument lookup: name of a lookup table (null: all lookup tables). Returns JSON with two '
'members: max_batch: maximum number of queries in a batch; tables: array with the name, the description, the domain, '
'the number of rows, and the properties of each lookup table. Raises QM404 unsupported_table.';
alter function api.describe_reconciliation owner to qm_reader;
grant execute on function api.describe_reconciliation to qm_user;
