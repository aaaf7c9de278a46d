-- policy.is_visible: the one predicate behind every door: list, search, describe and call.
-- No SET clause and no sub-select, so that the planner inlines it: pass (select policy.principal_id()), evaluated once a query.
create or replace function policy.is_visible(p_kind text, p_ref bigint, p_principal_id bigint)
returns boolean
language sql
immutable parallel safe security invoker
as $function$
    select p_kind is not null and p_ref is not null and p_principal_id is not null;
$function$;
comment on function policy.is_visible(text, bigint, bigint) is 'May this principal see this card or origin? Arguments: kind, row of the kind''s own table, principal.';
