-- catalog.put_assets: makes the assets of one kind that an origin lists those of the catalog.
-- What it no longer lists is deprecated, what comes back is the same as before. A definition without a name is left out.
-- What changed, or is new, waits where the approval of the origin says so, as a tool does (catalog.put_tools); all that is new is scanned.
-- Writes: catalog.asset, catalog.asset_version, catalog.asset_finding, policy.rights_class.
create or replace function catalog.put_assets(
    p_origin_id bigint, p_kind text, p_assets jsonb, p_listed text[] default null, out changed integer, out withheld integer
)
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
#variable_conflict use_column
declare
    v_key constant text := case p_kind when 'resource' then 'uri' when 'resource_template' then 'uriTemplate' else 'name' end;
    v_now constant timestamptz := core.now();
    v_new bigint[];
    v_fresh bigint[];
    v_gone integer;
    v_listed constant text[] := coalesce(p_listed, array(select e.asset ->> v_key from jsonb_array_elements(p_assets) as e (asset)));
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

    compared as (
        select
            l.*,
            o.slug,
            o.name as origin,
            coalesce(o.approval, (select core.get_setting('catalog.approval') #>> '{}')) as approval,
            b.id,
            b.version,
            b.status,
            b.status_reason,
            b.status_at,
            b.approved_version,
            b.content_hash <> l.content_hash and catalog.asset_core(b.definition) <> catalog.asset_core(l.definition) as is_changed
        from listed as l
        inner join catalog.origin as o on o.id = p_origin_id
        -- Looked up one by one: how many there are the planner cannot know, and pairs of thousands are millions.
        left join lateral (
            select x.* from catalog.asset as x where x.origin_id = p_origin_id and x.kind = p_kind and x.name = l.name limit 1
        ) as b on true
    ),

    decided as (
        select
            c.*,
            -- Of the same version, and of what an operator has decided on, everything stays.
            c.is_changed is false or c.status in ('quarantined', 'deprecated') as is_kept,
            case
                when c.approval = 'none' then ''
                when c.id is null then case c.approval when 'all' then 'it is new' else '' end
                when c.is_changed and not exists (
                    select from catalog.asset_version as v
                    where v.asset_id = c.id
                        and v.version = c.approved_version
                        and catalog.asset_core(v.definition) = catalog.asset_core(c.definition)
                ) then 'it changed'
                else ''
            end as waits_because,
            case
                when p_kind in ('prompt', 'instructions') then catalog.callable_name(c.slug, c.origin, c.name)
                when exists (
                    select from catalog.asset as x where x.kind = p_kind and x.public_name = c.name and x.origin_id <> p_origin_id
                ) or c.name like 'quartermaster://%' then 'quartermaster://' || c.slug || '/' || c.name
                else c.name
            end as public_name
        from compared as c
    ),

    written as (
        insert into catalog.asset as a (
            origin_id, kind, name, public_name, definition, content_hash, first_seen_at, version, status, status_reason, status_at,
            approved_version
        )
        select
            p_origin_id,
            p_kind,
            d.name,
            d.public_name,
            d.definition,
            d.content_hash,
            v_now,
            coalesce(d.version, 0) + (d.is_changed is not false)::integer,
            case when d.is_kept then d.status when d.waits_because = '' then 'approved' else 'pending' end,
            case when d.is_kept then d.status_reason else d.waits_because end,
            case when d.is_kept then d.status_at else v_now end,
            case when d.is_kept or d.waits_because <> '' then d.approved_version else coalesce(d.version, 0) + 1 end
        from decided as d
        order by d.name
        -- What was read above is as it is: the table is locked.
        on conflict on constraint asset_name_key do update
        set
            definition = excluded.definition,
            content_hash = excluded.content_hash,
            deprecated_at = null,
            version = excluded.version,
            status = excluded.status,
            status_reason = excluded.status_reason,
            status_at = excluded.status_at,
            approved_version = excluded.approved_version
        where a.content_hash <> excluded.content_hash or a.deprecated_at is not null
        returning a.id, a.version, a.definition, a.status, a.xmax = 0 as is_new
    ),

    closed as (
        update catalog.asset_version as v
        set valid_to = v_now
        from written as w
        where v.asset_id = w.id and v.valid_to is null and v.version <> w.version
        returning v.asset_id
    ),

    versioned as (
        insert into catalog.asset_version (asset_id, version, valid_from, definition, approved_at)
        select w.id, w.version, v_now, w.definition, case w.status when 'approved' then v_now end
        from written as w
        -- Counting makes the old versions close first: at most one may be open.
        where (select count(*) from closed) >= 0
            and not exists (select from catalog.asset_version as v where v.asset_id = w.id and v.version = w.version)
        returning asset_id
    )

    select array_agg(w.id) filter (where w.is_new), count(*), (select array_agg(v.asset_id) from versioned as v)
    into v_new, changed, v_fresh
    from written as w;

    update catalog.asset as a
    set deprecated_at = v_now
    where a.origin_id = p_origin_id
        and a.kind = p_kind
        and a.deprecated_at is null
        -- Of a part nobody knows what else there is.
        and p_listed is distinct from '{}'
        and not exists (select from unnest(v_listed) as n (name) where n.name = a.name);
    get diagnostics v_gone = row_count;
    changed := changed + v_gone;
    if v_new is not null then
        perform catalog.classify_assets(v_new);
    end if;
    if v_fresh is not null then
        perform catalog.scan_assets(v_fresh);
    end if;
    withheld := (select count(*) from catalog.asset as a where a.id = any(v_fresh) and a.status in ('pending', 'quarantined'));
end
$function$;
comment on function catalog.put_assets(bigint, text, jsonb, text[]) is
'Arguments: origin; kind; array of definitions as listed by the origin; the names of all that it lists, where these are the last part of them, an empty array where more parts follow, null where these are all. Returns how many came, changed or went, and how many of the new versions wait or are in quarantine.';
