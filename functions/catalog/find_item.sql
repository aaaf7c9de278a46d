-- catalog.find_item: a caller can use a resource that its origin does not list: templates cover many resources, and
-- tool results link to others. The origin of such a resource is known if the URI has the origin's prefix, or if the
-- request came through the endpoint of this origin. The same rules apply to listed and unlisted resources. A withheld
-- item stays withheld under every name. A withheld template also hides the URIs that only this template covers. Names
-- are found through indexes. Of the templates, only those with a matching beginning are compared.
-- Writes: policy.rights_class.
create or replace function catalog.find_item(
    p_kind text,
    p_name text,
    p_origin text,
    out origin_id bigint,
    out target text,
    out rights_class integer,
    out item_id bigint,
    out status text
)
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_origin text;
    v_templates constant text[] := array(select k.name from search.kind as k where k.name_member = 'uriTemplate');
begin
    if p_origin is null then
        select i.id, i.origin_id, i.name, i.rights_class, i.status
        into item_id, origin_id, target, rights_class, status
        from catalog.item as i
        inner join catalog.origin as o on o.id = i.origin_id
        where i.kind = p_kind and i.public_name = p_name and i.deprecated_at is null and o.status <> 'removed';
    else
        select i.id, i.origin_id, i.name, i.rights_class, i.status
        into item_id, origin_id, target, rights_class, status
        from catalog.item as i
        inner join catalog.origin as o on o.id = i.origin_id
        where o.name = p_origin
            and i.kind = p_kind
            and i.name = p_name
            and i.deprecated_at is null
            and o.status <> 'removed';
    end if;
    if item_id is not null
        or not exists (select from search.kind as k where k.name = p_kind and k.name_member = 'uri')
        or length(p_name) > 2000
    then
        return;
    end if;

    select
        o.id,
        o.name,
        case when p_origin is null then substr(p_name, length('quartermaster://' || o.slug || '/') + 1) else p_name end
    into origin_id, v_origin, target
    from catalog.origin as o
    where o.status <> 'removed'
        and case
            when p_origin is null then starts_with(p_name, 'quartermaster://' || o.slug || '/')
            else o.name = p_origin
        end;
    if origin_id is null then
        select i.origin_id, o.name, p_name
        into origin_id, v_origin, target
        from catalog.item as i
        inner join catalog.origin as o on o.id = i.origin_id
        where i.kind = any(v_templates)
            and i.deprecated_at is null
            and i.public_name = i.name
            and o.status <> 'removed'
            and starts_with(p_name, split_part(i.name, '{', 1))
            and p_name ~ catalog.template_pattern(i.name)
            and policy.is_visible(i.rights_class, (select policy.visible_classes()))
        order by length(i.name) desc, i.name
        limit 1;
    end if;
    if origin_id is null then
        return;
    end if;
    select c.rights_class
    into rights_class
    from search.kind as k
    cross join lateral policy.classify(
        array[(0, p_kind, v_origin, target, '{}', null, k.audience_id)::policy.item]
    ) as c
    where k.name = p_kind;
    -- If the resource itself is listed, its own status decides. Otherwise, the resource is offered if one of the
    -- matching templates is offered.
    select i.status
    into status
    from catalog.item as i
    where i.origin_id = find_item.origin_id and i.kind = p_kind and i.name = target and i.deprecated_at is null;
    if status is null then
        select i.status
        into status
        from catalog.item as i
        where i.origin_id = find_item.origin_id
            and i.kind = any(v_templates)
            and i.deprecated_at is null
            and starts_with(target, split_part(i.name, '{', 1))
            and target ~ catalog.template_pattern(i.name)
        order by i.status <> 'approved', i.id
        limit 1;
    end if;
    status := coalesce(status, 'approved');
end
$function$;
comment on function catalog.find_item(text, text, text) is
'Finds the origin of an item, and checks whether the caller may use the item. Arguments: p_kind: kind of card; p_name: '
'public name of the item, or the origin''s own name for the item if p_origin is given; p_origin: name of the origin '
'(null: p_name is a public name). Returns: the origin; the origin''s name for the item; the rights class of the item; '
'the row of the item (null: the origin does not list the item); and the status of the item (approved, pending, '
'quarantined or deprecated). Returns a row of nulls if no origin has the item.';
