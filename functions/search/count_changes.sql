-- search.count_changes: counts the changes after which a card may need a vector: those of cards and of models.
-- As both counters only grow, an equal sum means that nothing has changed.
create or replace function search.count_changes()
returns bigint
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select coalesce(sum(v.value), 0)::bigint from core.version as v where v.name in ('cards', 'models');
$function$;
comment on function search.count_changes() is
'Counts the statements that changed cards or embedding models since the installation. Returns their number.';
