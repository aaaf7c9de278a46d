-- decisions.relation: tells whether two decisions say the same or contradict each other. They contradict each other if
-- one forbids what the other asks for, or if each replaces what the other introduces.
create or replace function decisions.relation(p_one decisions.decision, p_other decisions.decision)
returns text
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    with compared as (
        select
            p_one.check_definition as one,
            p_other.check_definition as other,
            p_one.polarity <> p_other.polarity as is_opposite,
            ext.similarity(p_one.pattern, p_other.pattern) as likeness
    )

    select case
        when not decisions.scopes_overlap(p_one, p_other) then null
        when c.is_opposite and (c.likeness >= 0.5 or c.one = c.other) then 'contradicts'
        when c.one -> 'old' <@ (c.other -> 'new') and c.one -> 'new' <@ (c.other -> 'old') then 'contradicts'
        when c.one -> 'new' <@ (c.other -> 'forbidden') or c.other -> 'new' <@ (c.one -> 'forbidden') then 'contradicts'
        when not c.is_opposite and (c.likeness >= 0.6 or c.one = c.other) then 'duplicate'
    end
    from compared as c;
$function$;
comment on function decisions.relation(decisions.decision, decisions.decision) is
'Compares two decisions. Returns duplicate, contradicts, or null.';
