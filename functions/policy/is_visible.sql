-- policy.is_visible: the one predicate behind every door: list, search, describe and call.
-- No SET clause and each argument used once, so that the planner inlines it: what is left for each row is one look at one bit.
-- Pass (select policy.visible_classes()), evaluated once a query, in the query that reads the rows: both then are of one snapshot.
-- Everything qualified: it is parsed where it is used, under whatever search_path is there.
-- Not = 1: of an unknown equality the planner expects one row in 200, and would not use the index over vectors.
create or replace function policy.is_visible(p_rights_class integer, p_visible bit varying)
returns boolean
language sql
immutable parallel safe security invoker
as $function$
    select pg_catalog.get_bit(p_visible, p_rights_class) operator(pg_catalog.<>) 0;
$function$;
comment on function policy.is_visible(integer, bit varying) is
'May this card or origin be seen? Arguments: its rights class; policy.visible_classes(). Null, so not, where either is unknown.';
grant execute on function policy.is_visible to qm_user;
