-- decisions.link_decisions: comparing all pairs in full would take too long, so cheap tests come first. The paths of
-- two decisions must overlap. Then their checks must be related. If one of them has no check, or the polarities differ,
-- similar words are enough, too.
-- Writes: decisions.link.
create or replace function decisions.link_decisions(p_ids bigint[])
returns void
language sql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    with given as materialized (
        select g.id from unnest(p_ids) as g (id)
    ),

    compared as materialized (
        select
            d.id,
            d.project_id,
            d.scope_prefix,
            d.polarity,
            d.pattern,
            b.bits,
            b.number,
            g.id is not null as is_given,
            d.check_definition - '{paths,except,tests}'::text[] as what,
            coalesce(d.check_definition ?| '{old,new,forbidden}', false) as replaces
        from decisions.decision as d
        left join given as g on g.id = d.id
        cross join lateral decisions.trigram_bits(d.pattern) as b
        where d.project_id = any(
            array(select n.project_id from decisions.decision as n inner join given as g on g.id = n.id)
        )
            and d.status <> 'rejected'
            and d.superseded_by is null
    ),

    -- Scopes are few, compared with decisions.
    overlapping as materialized (
        select c.scope_prefix as one, k.scope_prefix as other
        from (select distinct x.scope_prefix from compared as x where x.is_given) as c
        inner join (select distinct x.scope_prefix from compared as x) as k
            on c.scope_prefix ^@ k.scope_prefix or k.scope_prefix ^@ c.scope_prefix -- empty for scopes that are no path
    ),

    -- In steps, so that what costs more is asked only about what is left.
    paired as materialized (
        select
            c.id as one,
            k.id as other,
            c.pattern as one_pattern,
            k.pattern as other_pattern,
            c.what = k.what or c.replaces and k.replaces as is_related
        from overlapping as v
        inner join compared as c on c.scope_prefix = v.one and c.is_given
        inner join compared as k
            on k.scope_prefix = v.other
            and k.project_id = c.project_id
            and k.id <> c.id
            and (k.id < c.id or not k.is_given) -- each pair once
        where c.what = k.what
            or c.replaces and k.replaces
            or (c.what is null or k.what is null or c.polarity <> k.polarity)
            -- Half of all trigrams are the same only if at most a third of both is not in the other one.
            and bit_count(c.bits # k.bits) * 3 <= c.number + k.number
    ),

    close as materialized (
        select p.one, p.other
        from paired as p
        where p.is_related or ext.similarity(lower(p.one_pattern), lower(p.other_pattern)) >= 0.5
    )

    insert into decisions.link (from_id, to_id, kind, created_at)
    select greatest(n.id, o.id), least(n.id, o.id), r.kind, core.now()
    from close as p
    inner join decisions.decision as n on n.id = p.one
    inner join decisions.decision as o on o.id = p.other
    cross join lateral (select decisions.relation(n, o) as kind) as r
    where r.kind is not null
    on conflict do nothing;
$function$;
comment on function decisions.link_decisions(bigint[]) is
'Links decisions to other decisions of the same project that say the same thing or the opposite. Argument p_ids: ids '
'of new or changed decisions.';
