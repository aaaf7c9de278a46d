-- api.set_approval: items that are already waiting for approval keep waiting.
-- Writes: catalog.origin.
create or replace function api.set_approval(origin text, approval text)
returns text
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_origin_id bigint;
begin
    perform policy.require_principal();
    v_origin_id := catalog.origin_id(set_approval.origin);
    if set_approval.approval not in ('none', 'changes', 'all') then
        perform core.fail('approval_invalid', format('%L is not a valid approval setting', set_approval.approval));
    end if;
    update catalog.origin as o set approval = set_approval.approval where o.id = v_origin_id;
    return coalesce(set_approval.approval, core.get_setting('catalog.approval') #>> '{}');
end
$function$;
comment on function api.set_approval(text, text) is
'Sets which items of an origin must be approved before they are offered. Arguments: origin: name of the origin; '
'approval: none (no items), changes (changed items), all (new and changed items), or null (the value of the setting '
'catalog.approval). Returns the value that is now in effect. Raises QM404 origin_not_found, QM422 approval_invalid. '
'Can be null: approval.';
grant execute on function api.set_approval to qm_operator;
