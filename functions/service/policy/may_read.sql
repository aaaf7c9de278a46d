-- service.may_read: the service calls this function before it tells a subscriber that the resource has changed. The
-- decision is not logged. Every kind whose items are named by a URI counts as a resource.
-- Writes: policy.rights_class.
create or replace function service.may_read(uri text, of_origin text default null)
returns boolean
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
begin
    perform policy.require_service();
    return exists (
        select
        from search.kind as k
        cross join lateral catalog.find_item(k.name, may_read.uri, may_read.of_origin) as f
        where k.name_member = 'uri'
            and f.status = 'approved'
            and policy.is_visible(f.rights_class, (select policy.visible_classes()))
    );
end
$function$;
comment on function service.may_read(text, text) is
'Checks whether the caller may read a resource now. Arguments: uri: public URI, or the URI that the resource has at an '
'origin; of_origin: name of this origin (null: uri is a public URI). Returns true if the caller may read the resource.';
grant execute on function service.may_read to qm_user;
