-- search.count_changes: as both counters only grow, an equal sum means that nothing has changed.
create or replace function search.count_changes(p_kind text)
returns bigint
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select coalesce(sum(v.value), 0)::bigint from core.version as v where v.name in ('texts of ' || p_kind, 'models');
$function$;
comment on function search.count_changes(text) is
'Counts changes since the installation. Argument p_kind: kind of card. Returns the number of statements that changed '
'the texts of cards of this kind, plus the number of statements that changed embedding models.';
