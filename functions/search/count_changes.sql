-- search.count_changes: both counters only grow. If the sum is the same as before, nothing has changed.
create or replace function search.count_changes(p_kind text)
returns bigint
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select coalesce(sum(v.value), 0)::bigint from core.version as v where v.name in ('texts of ' || p_kind, 'models');
$function$;
comment on function search.count_changes(text) is
'Counts the changes to texts and embedding models since the installation. Argument p_kind: kind of card. Returns the '
'number of statements that changed the texts of cards of this kind, plus the number of statements that changed '
'embedding models.';
