-- catalog.put_assets: makes the assets of one kind that an origin lists those of the catalog.
-- What it no longer lists is deprecated, what comes back is the same as before. A definition without a name is left out.
-- What changed, or is new, waits where the approval of the origin says so, as a tool does (catalog.put_tools); all that is new is scanned.
-- Writes: catalog.asset, catalog.asset_version, catalog.asset_finding, policy.rights_class.
create or replace function catalog.put_assets(p_origin_id bigint, p_kind text, p_assets jsonb, out changed integer, out withheld integer)
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

    decided as (
        select
            l.*,
            b.id,
            -- What waits is compared with what was approved last, a version with the one before.
            b.id is not null and catalog.asset_core(b.definition) <> catalog.asset_core(l.definition) as is_changed,
            case
                when coalesce(o.approval, (select core.get_setting('catalog.approval') #>> '{}')) = 'none'
                    or catalog.asset_core(v.definition) = catalog.asset_core(l.definition) then ''
                when b.id is not null then 'it changed'
                when coalesce(o.approval, (select core.get_setting('catalog.approval') #>> '{}')) = 'all' then 'it is new'
                else ''
            end as waits_because,
            case
                when p_kind = 'prompt' then catalog.callable_name(o.slug, o.name, l.name)
                when exists (
                    select from catalog.asset as x where x.kind = p_kind and x.public_name = l.name and x.origin_id <> p_origin_id
                ) or l.name like 'quartermaster://%' then 'quartermaster://' || o.slug || '/' || l.name
                else l.name
            end as public_name
        from listed as l
        inner join catalog.origin as o on o.id = p_origin_id
        left join catalog.asset as b on b.origin_id = p_origin_id and b.kind = p_kind and b.name = l.name
        left join catalog.asset_version as v on v.asset_id = b.id and v.version = b.approved_version
    ),

    written as (
        insert into catalog.asset as a (
            origin_id, kind, name, public_name, definition, content_hash, first_seen_at, status, status_reason, status_at, approved_version
        )
        select
            p_origin_id,
            p_kind,
            d.name,
            d.public_name,
            d.definition,
            d.content_hash,
            v_now,
            case d.waits_because when '' then 'approved' else 'pending' end,
            d.waits_because,
            v_now,
            case d.waits_because when '' then 1 end
        from decided as d
        order by d.name
        on conflict on constraint asset_name_key do update
        set
            definition = excluded.definition,
            content_hash = excluded.content_hash,
            deprecated_at = null,
            version = a.version + (catalog.asset_core(a.definition) <> catalog.asset_core(excluded.definition))::integer,
            (status, status_reason, status_at, approved_version) = (
                select s.status, s.status_reason, s.status_at, s.approved_version
                from (
                    -- What an operator decided holds, however it changes.
                    select a.status, a.status_reason, a.status_at, a.approved_version
                    where catalog.asset_core(a.definition) = catalog.asset_core(excluded.definition) or a.status in ('quarantined', 'deprecated')
                    union all
                    select
                        excluded.status,
                        excluded.status_reason,
                        excluded.status_at,
                        case when excluded.status = 'approved' then a.version + 1 else a.approved_version end
                    where catalog.asset_core(a.definition) <> catalog.asset_core(excluded.definition) and a.status not in ('quarantined', 'deprecated')
                ) as s
            )
        where a.content_hash <> excluded.content_hash or a.deprecated_at is not null
        returning a.id, a.name, a.version, a.definition, a.status, a.xmax = 0 as is_new
    ),

    closed as (
        update catalog.asset_version as v
        set valid_to = v_now
        from written as w
        inner join decided as d on d.name = w.name and d.is_changed
        where v.asset_id = w.id and v.valid_to is null
        returning v.asset_id
    ),

    versioned as (
        insert into catalog.asset_version (asset_id, version, valid_from, definition, approved_at)
        select w.id, w.version, v_now, w.definition, case w.status when 'approved' then v_now end
        from written as w
        inner join decided as d on d.name = w.name
        -- Counting makes the old versions close first: at most one may be open.
        where (w.is_new or d.is_changed) and (select count(*) from closed) >= 0
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
        and not exists (select from jsonb_array_elements(p_assets) as e (asset) where e.asset ->> v_key = a.name);
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
comment on function catalog.put_assets(bigint, text, jsonb) is
'Arguments: origin; kind; array of definitions as listed by the origin, all of them. Returns how many came, changed or went, and how many of the new versions wait or are in quarantine.';
