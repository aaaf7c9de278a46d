-- Writes: lookup.*, cards.
create or replace function api.drop_lookup(lookup text, dry_run boolean default false)
returns table (rows integer, names integer)
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_table_id constant integer := lookup.require_table(drop_lookup.lookup);
begin
    select t.rows, t.names into rows, names from lookup.lookup_table as t where t.id = v_table_id;
    if not drop_lookup.dry_run then
        perform search.lock_kind('lookup');
        perform lookup.unfollow_source(v_table_id);
        perform lookup.index_names(
            v_table_id, '{}', array(select r.id from lookup.lookup_row as r where r.table_id = v_table_id)
        );
        perform search.put_coefficients('lookup', 'vectors:' || drop_lookup.lookup, '{}');
        perform search.remove_cards('lookup_table', array[v_table_id::bigint]);
        delete from selection.receipt as r
        where r.kind = 'lookup' and r.origin = drop_lookup.lookup and r.goal_hash is not null;
        delete from lookup.lookup_table as t where t.id = v_table_id;
    end if;
    return next;
end
$function$;
comment on function api.drop_lookup(text, boolean) is
'Drops a lookup table with its rows. Arguments: lookup: name of the lookup table; dry_run: true to preview the change '
'without making it. Returns how many rows and how many names the lookup table had. Raises QM404 unsupported_table.';
grant execute on function api.drop_lookup to qm_operator;
