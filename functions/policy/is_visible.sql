-- policy.is_visible: the only visibility test. List, search, describe and call all use it.
-- It has no SET clause and uses each argument once, so that the planner inlines it and each row costs only the test of
-- one bit. Pass the argument (select policy.visible_classes()): it is evaluated once in the query that reads the rows,
-- so that both see the same snapshot. All names are qualified, because it is parsed under the caller's search_path.
-- Do not write "= 1": the planner expects an unknown equality to keep one row in 200, and would not use the vector
-- index.
create or replace function policy.is_visible(p_rights_class integer, p_visible bit varying)
returns boolean
language sql
immutable parallel safe security invoker
as $function$
    select pg_catalog.get_bit(p_visible, p_rights_class) operator(pg_catalog.<>) 0;
$function$;
comment on function policy.is_visible(integer, bit varying) is
'Tells whether a card or an origin is visible. Arguments: p_rights_class: rights class of the card or origin; '
'p_visible: policy.visible_classes(). Returns null, which counts as no, if either argument is null.';
grant execute on function policy.is_visible to qm_reader, qm_admin;
