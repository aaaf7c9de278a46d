-- search.count_unembedded: how many texts wait for a vector of the active model.
-- Definer because vectors are read by the engine only.
create or replace function search.count_unembedded()
returns bigint
language plpgsql
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
begin
    perform policy.require_principal();
    return coalesce((select search.count_missing(m.id) from search.model as m where m.active), 0);
end
$function$;
comment on function search.count_unembedded() is 'Number of texts without a vector; 0 where no model is active.';
