-- api.may_read: tells whether the caller may read a resource now. The service asks before it announces an update to a
-- subscriber. Nothing is logged.
-- Definer because the caller may lack access to the tables that decide.
-- Writes: policy.rights_class.
create or replace function api.may_read(uri text, of_origin text default null, kind text default 'resource')
returns boolean
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_rights_class integer;
begin
    perform policy.require_principal();
    select f.rights_class into v_rights_class
    from catalog.find_item(may_read.kind, may_read.uri, may_read.of_origin) as f
    where f.status = 'approved';
    return coalesce(policy.is_visible(v_rights_class, (select policy.visible_classes())), false);
end
$function$;
comment on function api.may_read(text, text, text) is
'Arguments: public URI, or the URI that the resource has at an origin; that origin; kind. Returns whether the caller '
'may read it.';
grant execute on function api.may_read to qm_user;
