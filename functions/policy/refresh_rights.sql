-- policy.refresh_rights: each row contains bit strings, with one bit for each rights class.
-- Writes: policy.subject_rights, policy.audience_rights.
create or replace function policy.refresh_rights()
returns void
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
set enable_nestloop = off -- the planner cannot know how many classes there are
as $function$
declare
    v_none constant bit varying := repeat(
        '0', (select coalesce(max(c.id), -1) + 1 from policy.rights_class as c)
    )::bit varying;
    v_closed constant bit varying := (
        select coalesce(bit_or(set_bit(v_none, c.id, 1)), v_none)
        from policy.rights_class as c
        where c.audience_id is not null
    );
begin
    delete from policy.subject_rights;
    insert into policy.subject_rights (subject, allows, denies, pins, closes)
    with meant as materialized (
        select c.id as class, m.id as matcher_id
        from policy.rights_class as c
        cross join unnest(c.matchers) as m (id)
    ),

    said as (
        select 'everyone' as subject, null as effect, null::integer as matcher_id
        union
        select r.subject, r.effect, r.matcher_id
        from policy.rule as r
        inner join policy.rule_version as v on v.id = r.version_id
        where v.is_active
        union
        select 'toolset:' || t.name, 'pin', t.matcher_id
        from policy.toolset as t
    )

    select
        s.subject,
        coalesce(bit_or(set_bit(v_none, m.class, 1)) filter (where s.effect = 'allow'), v_none),
        coalesce(bit_or(set_bit(v_none, m.class, 1)) filter (where s.effect = 'deny'), v_none),
        coalesce(bit_or(set_bit(v_none, m.class, 1)) filter (where s.effect = 'pin'), v_none),
        case s.subject when 'everyone' then v_closed else v_none end
    from said as s
    left join meant as m on m.matcher_id = s.matcher_id
    group by s.subject;

    delete from policy.audience_rights;
    insert into policy.audience_rights (audience_id, classes)
    select c.audience_id, bit_or(set_bit(v_none, c.id, 1))
    from policy.rights_class as c
    where c.audience_id is not null
    group by c.audience_id;
end
$function$;
comment on function policy.refresh_rights() is
'Rebuilds the tables policy.subject_rights and policy.audience_rights, which contain who may see which rights classes '
'(sets of cards to which the same rules apply). Call this function after a change to rights classes or toolsets, and '
'after the activation of a version of the rules.';
