-- policy.is_visible: this is the only test of visibility for row policies, lists, searches and descriptions. Calls use
-- policy.decide, which also names the rule that decided; tests/sql/test_rights_fuzz.py checks that both functions
-- agree. The function has no SET clause and uses each argument once, so that the planner inlines it and only one bit is
-- tested for each row. As the second argument, pass (select policy.visible_classes()). This subquery is evaluated once,
-- in the query that reads the rows, so that both see the same database snapshot. The body is a RETURN statement, so its
-- identifiers are resolved when the function is created, and not with the caller's search_path. The body does not test
-- whether the bit equals 1: the planner assumes that an equality is true for one row in 200, and would not use the
-- vector index.
create or replace function policy.is_visible(p_rights_class integer, p_visible bit varying)
returns boolean
language sql
immutable parallel safe security invoker
return
    pg_catalog.get_bit(p_visible, p_rights_class) operator(pg_catalog.<>) 0;
comment on function policy.is_visible(integer, bit varying) is
'Checks whether the caller may see a card or an origin. Arguments: p_rights_class: rights class of the card or origin, '
'which identifies the access rules that apply to it; p_visible: result of policy.visible_classes(). Returns true if '
'the caller may see the card or origin. Returns null if one of the arguments is null; row policies treat null as '
'false.';
grant execute on function policy.is_visible to qm_reader, qm_admin;
