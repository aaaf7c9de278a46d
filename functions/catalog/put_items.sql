-- catalog.put_items: each definition becomes an item; a new or changed definition also becomes a version, and an
-- offered item gets a card. catalog.judge_items decides which definitions are rejected and which must wait; a rejected
-- definition does not stop the others. An item that an operator quarantined or deprecated stays quarantined or
-- deprecated, even if its definition changes. New versions are scanned.
-- Writes: catalog.item, catalog.item_version, catalog.finding, cards, the kind's own table.
create or replace function catalog.put_items(
    p_kind text, p_origins text[], p_definitions jsonb[], p_by_hand boolean default true
)
returns table (name text, public_name text, outcome text, reason text)
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_now constant timestamptz := core.now();
    v_store constant text := (select k.store_function from search.kind as k where k.name = p_kind);
    v_stored jsonb;
    v_fresh bigint[];
begin
    perform policy.lock_rights(false);
    if (select k.naming from search.kind as k where k.name = p_kind) = 'own' then
        -- The first origin that uses a name gets the name without a prefix, so only one transaction at a time may
        -- assign names.
        perform search.lock_kind(p_kind);
    end if;

    with judged as materialized (
        select * from catalog.judge_items(p_kind, p_origins, p_definitions, p_by_hand)
    ),

    written as (
        insert into catalog.item as t (
            origin_id, kind, name, public_name, definition, content_hash, brief, categories, traits, first_seen_at,
            last_seen_at, status, status_reason, status_at, approved_version
        )
        select
            j.origin_id,
            p_kind,
            j.name,
            j.public_name,
            j.definition,
            j.content_hash,
            catalog.brief(
                coalesce(
                    j.definition ->> 'brief',
                    j.definition ->> 'description',
                    j.definition ->> 'title',
                    j.definition ->> 'instructions'
                )
            ),
            coalesce(policy.text_list(j.labels -> 'categories'), '{}'),
            policy.text_list(j.labels -> 'traits'),
            v_now,
            v_now,
            case when j.waits_because = '' then 'approved' else 'pending' end,
            j.waits_because,
            v_now,
            case when j.waits_because = '' then 1 end
        from judged as j
        where j.reason is null
        order by j.origin_id, j.name collate core.c_utf8
        on conflict on constraint item_name_key do update
        set
            public_name = excluded.public_name,
            version = t.version + (t.content_hash <> excluded.content_hash)::integer,
            definition = excluded.definition,
            content_hash = excluded.content_hash,
            brief = excluded.brief,
            categories = excluded.categories,
            traits = excluded.traits,
            last_seen_at = excluded.last_seen_at,
            deprecated_at = null,
            (status, status_reason, status_at, approved_version) = (
                select
                    case when k.is_kept then t.status else excluded.status end,
                    case when k.is_kept then t.status_reason else excluded.status_reason end,
                    case when k.is_kept then t.status_at else excluded.status_at end,
                    case when k.is_kept or excluded.status <> 'approved' then t.approved_version else t.version + 1 end
                -- Lock the row and read it again, because an operator may have approved or quarantined the item since
                -- the batch was read.
                from (
                    select t.content_hash = excluded.content_hash or t.status in ('quarantined', 'deprecated')
                ) as k (is_kept)
            )
        returning t.id, t.origin_id, t.name, t.public_name, t.definition
    ),

    stored as (
        -- This statement still sees the table catalog.item as it was before the insert. An item that has no row in that
        -- table is therefore new.
        select
            j.place,
            j.name,
            j.reason,
            w.id,
            w.public_name,
            case
                when w.id is null then 'rejected'
                when b.id is null then 'added'
                when b.definition <> w.definition or b.deprecated_at is not null then 'changed'
                else 'unchanged'
            end as outcome
        from judged as j
        left join written as w on j.reason is null and w.origin_id = j.origin_id and w.name = j.name
        left join catalog.item as b on b.id = w.id
    )

    select
        jsonb_agg(
            jsonb_build_object(
                'id', s.id, 'name', s.name, 'public_name', s.public_name, 'outcome', s.outcome, 'reason', s.reason
            ) order by s.place
        ),
        array_agg(s.id) filter (where s.outcome in ('added', 'changed'))
    into v_stored, v_fresh
    from stored as s;

    if v_fresh is not null then
        if not p_by_hand then
            perform catalog.hold_imitations(v_fresh);
        end if;
        perform catalog.keep_versions(v_fresh);
        if v_store is not null then
            execute format('select %s($1)', v_store::regproc) using v_fresh;
        end if;
        perform catalog.scan_items(v_fresh);
        perform catalog.show_items(v_fresh);
    end if;
    return query
    select
        s.stored ->> 'name',
        s.stored ->> 'public_name',
        s.stored ->> 'outcome',
        coalesce(s.stored ->> 'reason', i.status || ': ' || i.status_reason)
    from jsonb_array_elements(v_stored) with ordinality as s (stored, position)
    left join catalog.item as i on i.id = (s.stored ->> 'id')::bigint and not i.is_live
    order by s.position;
end
$function$;
comment on function catalog.put_items(text, text[], jsonb[], boolean) is
'Stores definitions of known origins. Arguments: p_kind: kind of card; p_origins: for each definition, the name of the '
'origin; p_definitions: the definitions; p_by_hand: true if a person adds the definitions, so that they need no '
'further approval. Returns for each definition, in the given order: the name of the item, the public name of the item, '
'the outcome (added, changed, unchanged or rejected), and the reason why the item was rejected or is withheld. Raises '
'QM404 kind_not_found.';
