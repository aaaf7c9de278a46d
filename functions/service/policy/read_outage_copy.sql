-- service.read_outage_copy: everything is read in one statement, because the rights classes of the tools and the rights
-- to each class must come from the same moment. Principals to which the same rules apply form a group, so that rights
-- are computed once for each group and toolset. The definitions of the tools are read with service.read_definitions.
create or replace function service.read_outage_copy()
returns jsonb
language sql
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
    with guarding as materialized (
        select distinct g.guardrail ->> 'subject' as subject
        from policy.rule_version as v
        cross join lateral jsonb_array_elements(v.guardrails) as g (guardrail)
        where v.is_active
    ),

    grouped as materialized (
        select
            p.id, p.name, p.role, o.name as organisation, dense_rank() over (order by s.subjects) as rights_group,
            dense_rank() over (order by w.subjects collate core.c_utf8) as guard_group
        from policy.principal as p
        left join policy.organisation as o on o.id = p.organisation_id
        cross join lateral (
            select array_agg(r.subject order by r.subject) as subjects
            from policy.subject_rights as r
            where r.subject = any(policy.subjects_of(p.id))
        ) as s
        cross join lateral (
            select array_agg(u.subject order by u.subject collate core.c_utf8) as subjects
            from guarding as u
            where u.subject = any(policy.subjects_of(p.id))
        ) as w
        where p.enabled
    ),

    -- If no guardrail names a toolset, it has the guardrails of a session without a toolset.
    guards as (
        select
            g.guard_group, d.toolset, o.name as origin,
            coalesce(policy.guardrails_of(min(g.id), d.toolset, o.name), '{}') as guardrails
        from grouped as g
        cross join (
            select null as toolset
            union all
            select t.name
            from policy.toolset as t
            where 'toolset:' || t.name in (select u.subject from guarding as u)
        ) as d
        cross join catalog.origin as o
        where o.status <> 'removed' and exists (select from guarding)
        group by g.guard_group, d.toolset, o.name
    ),

    kept as (
        select
            k.*,
            k.index_type = 'text'
                and (
                    k.name = search.default_kind() or k.cards <= (core.get_setting('outage.most_cards'))::bigint
                ) as is_kept
        from search.kind as k
        where k.audience_id is null
    ),

    doors as (
        select g.rights_group, d.toolset, policy.rights_of(min(g.id), d.toolset) as visible
        from grouped as g
        cross join (select null as toolset union all select t.name from policy.toolset as t) as d
        group by g.rights_group, d.toolset
    )

    select jsonb_build_object(
        'read_at', core.now(),
        'principals', (
            select coalesce(
                jsonb_agg(
                    jsonb_build_array(g.id, g.name, g.role, g.organisation, g.rights_group, g.guard_group) order by g.id
                ),
                '[]'
            )
            from grouped as g
        ),
        'rights', (
            select coalesce(jsonb_agg(jsonb_build_array(d.rights_group, d.toolset, d.visible::text)), '[]')
            from doors as d
        ),
        'guardrails', (
            select coalesce(jsonb_agg(jsonb_build_array(w.guard_group, w.toolset, w.origin, w.guardrails)), '[]')
            from guards as w
        ),
        'keys', (
            select coalesce(
                jsonb_agg(jsonb_build_array(encode(k.key_hash, 'hex'), k.principal_id, k.expires_at) order by k.id),
                '[]'
            )
            from policy.api_key as k
            where k.revoked_at is null and (k.expires_at is null or k.expires_at > core.now())
        ),
        'identities', (
            select coalesce(
                jsonb_agg(jsonb_build_array(i.issuer, i.subject, i.principal_id) order by i.principal_id), '[]'
            )
            from policy.identity as i
        ),
        'origins', (
            select coalesce(
                jsonb_agg(
                    jsonb_build_object(
                        'id', o.id,
                        'name', o.name,
                        'transport', o.transport,
                        'command', o.command,
                        'url', o.url,
                        'cwd', o.cwd,
                        'environment', o.environment,
                        'headers', o.headers,
                        'auth_reference', o.auth_reference,
                        'tls', o.tls,
                        'auth', o.auth,
                        'revision', o.revision,
                        'sandbox', o.sandbox,
                        'networks', catalog.networks_of(o.name),
                        'start_limit_s', o.start_limit_s
                    )
                    order by o.id
                ),
                '[]'
            )
            from catalog.origin as o
            where o.status <> 'removed'
        ),
        'toolsets', (select coalesce(jsonb_object_agg(t.name, t.description), '{}') from policy.toolset as t),
        -- Cards of kinds that are indexed by names are left out, because such cards are found by lookups, not by
        -- searches. Kinds with very many cards are left out, too, unless it is the kind of tools: copying 100,000
        -- symbols takes minutes. Cards with an audience are left out, because groups of principals do not tell
        -- audiences apart.
        'cards', (
            select coalesce(
                jsonb_agg(
                    jsonb_build_array(
                        c.id, (extract(epoch from c.updated_at) * 1000000)::bigint, c.rights_class
                    ) order by c.id
                ),
                '[]'
            )
            from search.card as c
            inner join kept as k on k.name = c.kind
            where k.is_kept and c.audience_id is null
        ),
        'kinds', (
            select jsonb_object_agg(
                k.name, jsonb_build_object('not_found', k.not_found, 'is_kept', k.is_kept)
            )
            from kept as k
        ),
        'default_kind', search.default_kind(),
        -- The call log cannot be written during an outage, so no call is repeated and no answer is stored.
        'terms', (
            select jsonb_object_agg(u.tool, u.terms || '{"may_repeat": false, "cache_s": null}')
            from (
                select '' as tool, core.get_setting('call.terms') as terms
                union all
                select s.item_id::text, catalog.call_terms(s.item_id)
                from calls.terms as s
            ) as u
        ),
        'longest_goal', core.get_setting('goal.max_length'),
        'modes', (select jsonb_agg(jsonb_build_array(m.name, m.top) order by m.lexical) from selection.mode as m),
        'errors', (
            select jsonb_object_agg(e.slug, jsonb_build_array(e.status, e.meaning, e.next_step))
            from core.error_code as e
        ),
        'columns', (
            select jsonb_object_agg(p.proname, to_jsonb(p.proargnames[p.pronargs + 1:]))
            from pg_proc as p
            where
                p.pronamespace in ('api'::regnamespace, 'service'::regnamespace)
                and p.pronargs < cardinality(p.proargnames)
        )
    );
$function$;
comment on function service.read_outage_copy() is
'Collects the data from which the service answers searches while the database is unavailable. Returns JSON with these '
'members. read_at: the time at which the data was read. principals: the enabled principals. rights: for each group of '
'principals and each toolset, one bit for each rights class. guardrails: for each group, toolset and origin, the '
'guardrails that apply (policy.guardrails_of). keys: the hashes of the bearer keys, with principal and expiry time. '
'identities: issuer and subject of the tokens of each principal. origins: how to connect to each origin, as '
'service.get_connection returns it, with references to secrets, but without the secrets themselves. toolsets: the '
'descriptions of the toolsets. cards: the offered cards, each with id, state and rights class. The state changes '
'whenever the text of the card changes. kinds: the kinds of card, with their error slugs. default_kind: the kind that '
'is searched if a caller names no kind. terms: the terms for calls by tool id, where an empty id stands for all other '
'tools. longest_goal: the largest number of characters in a goal. modes: the search modes, each with the number of '
'cards that a search in this mode returns by default. errors: the status, the meaning and the next step of each error '
'slug. columns: the names of the columns that each function returns.';
grant execute on function service.read_outage_copy to qm_service;
