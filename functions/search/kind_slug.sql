-- search.kind_slug: returns the error slug of a family of kinds: tool_changed, asset_changed, card_changed.
-- The family is the beginning of the kinds' not_found. If the kinds differ, or the registry lacks the slug for their
-- family, it is card.
create or replace function search.kind_slug(p_kinds text[], p_ending text)
returns text
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select coalesce(
        (
            select e.slug
            from core.error_code as e
            where e.slug = (
                select case when count(distinct k.not_found) = 1 then regexp_replace(min(k.not_found), '_not_found$', '') || p_ending end
                from search.kind as k
                where k.name = any(p_kinds)
            )
        ), 'card' || p_ending
    );
$function$;
comment on function search.kind_slug(text[], text) is
'Arguments: kinds, null for all; ending of the slug (_not_found, _withheld, _changed, _ambiguous, _version_not_found, s_invalid). Returns the slug of the error.';
grant execute on function search.kind_slug to qm_user;
