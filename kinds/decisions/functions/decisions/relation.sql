-- decisions.relation: two decisions contradict each other in three cases: their texts or checks are alike but their
-- polarities are opposite; the check of one forbids names that the other introduces; or one replaces A by B, and the
-- other replaces B by A.
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
            -- The same rule elsewhere differs only in its places.
            p_one.check_definition - v.places = p_other.check_definition - v.places as is_same_check,
            p_one.polarity <> p_other.polarity as is_opposite,
            ext.similarity(
                lower(p_one.pattern collate core.c_utf8), lower(p_other.pattern collate core.c_utf8)
            ) as likeness
        from (select '{paths,except,tests}'::text[] as places) as v
    )

    select case
        when not decisions.scopes_overlap(p_one, p_other) then null
        when c.is_opposite and (c.likeness >= 0.5 or c.is_same_check) then 'contradicts'
        when c.one -> 'old' <@ (c.other -> 'new') and c.one -> 'new' <@ (c.other -> 'old') then 'contradicts'
        when c.one -> 'new' <@ (c.other -> 'forbidden') or c.other -> 'new' <@ (c.one -> 'forbidden') then 'contradicts'
        -- Rules of one form sound alike, whatever they are about, so their checks tell whether they say the same.
        when not c.is_opposite and coalesce(c.is_same_check, c.likeness >= 0.6) then 'duplicate'
    end
    from compared as c;
$function$;
comment on function decisions.relation(decisions.decision, decisions.decision) is
'Finds out whether two decisions say the same thing or contradict each other. Arguments: p_one and p_other: the '
'decisions. Returns "duplicate" if the two decisions say the same thing. Returns "contradicts" if the two decisions '
'contradict each other. Otherwise returns null.';
