-- search.kind_slug: a slug begins with a family, such as tool, asset or card. The family of a kind is the first part of
-- its slug for "not found", such as tool in tool_not_found. If the kinds belong to different families, the slug begins
-- with card. The same holds if the list of errors does not contain a slug with this family and ending.
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
                select case
                    when count(distinct k.not_found) = 1
                        then regexp_replace(min(k.not_found), '_not_found$', '') || p_ending
                end
                from search.kind as k
                where k.name = any(p_kinds)
            )
        ),
        'card' || p_ending
    );
$function$;
comment on function search.kind_slug(text[], text) is
'Chooses the slug (short name) of an error for some kinds of cards, such as tool_changed, asset_changed or '
'card_changed. Arguments: p_kinds: kinds of card (null: all kinds); p_ending: ending of the slug: _not_found, '
'_withheld, _changed, _ambiguous, _version_not_found or s_invalid. Returns the slug.';
grant execute on function search.kind_slug to qm_reader;
