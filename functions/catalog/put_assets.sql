-- catalog.put_assets: makes the assets of one kind that an origin lists those of the catalog.
-- What it no longer lists is deprecated, what comes back is the same as before. A definition without a name is left out.
-- Writes: catalog.asset, policy.rights_class.
create or replace function catalog.put_assets(p_origin_id bigint, p_kind text, p_assets jsonb)
returns integer
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_key constant text := case p_kind when 'resource' then 'uri' when 'resource_template' then 'uriTemplate' else 'name' end;
    v_new bigint[];
    v_changed integer;
    v_gone integer;
begin
    perform policy.lock_rights(false);
    -- Public names are given to whoever comes first, so one comes at a time.
    lock table catalog.asset in share row exclusive mode;
    with listed as (
        select distinct on (name)
            e.asset ->> v_key as name,
            e.asset as definition,
            sha256(convert_to(e.asset::text, 'UTF8')) as content_hash
        from jsonb_array_elements(p_assets) with ordinality as e (asset, position)
        where length(e.asset ->> v_key) between 1 and 2000
        order by name, e.position
    ),

    named as (
        select
            l.*,
            case
                when p_kind = 'prompt' then catalog.callable_name(o.slug, o.name, l.name)
                when exists (
                    select from catalog.asset as x where x.kind = p_kind and x.public_name = l.name and x.origin_id <> p_origin_id
                ) or l.name like 'quartermaster://%' then 'quartermaster://' || o.slug || '/' || l.name
                else l.name
            end as public_name
        from listed as l
        inner join catalog.origin as o on o.id = p_origin_id
    ),

    written as (
        insert into catalog.asset as a (origin_id, kind, name, public_name, definition, content_hash, first_seen_at)
        select p_origin_id, p_kind, n.name, n.public_name, n.definition, n.content_hash, core.now()
        from named as n
        order by n.name
        on conflict on constraint asset_name_key do update
        set definition = excluded.definition, content_hash = excluded.content_hash, deprecated_at = null
        where a.content_hash <> excluded.content_hash or a.deprecated_at is not null
        returning a.id, a.xmax = 0 as is_new
    )

    select array_agg(w.id) filter (where w.is_new), count(*) into v_new, v_changed from written as w;

    update catalog.asset as a
    set deprecated_at = core.now()
    where a.origin_id = p_origin_id
        and a.kind = p_kind
        and a.deprecated_at is null
        and not exists (select from jsonb_array_elements(p_assets) as e (asset) where e.asset ->> v_key = a.name);
    get diagnostics v_gone = row_count;
    if v_new is not null then
        perform catalog.classify_assets(v_new);
    end if;
    return v_changed + v_gone;
end
$function$;
comment on function catalog.put_assets(bigint, text, jsonb) is 'Arguments: origin; kind; array of definitions as listed by the origin, all of them. Returns how many came, changed or went.';
