-- api.teach_item: operators have this right, because they also approve and downrank items. The teaching changes only
-- searches of their own organisation.
-- Writes: search.teaching, search.teaching_vector.
create or replace function api.teach_item(
    kinds text[],
    goal text,
    name text,
    instead_of text default null,
    query_vector ext.vector default null,
    reason text default ''
)
returns table (teaching bigint, kind text, organisation text, replaced text)
language plpgsql
volatile parallel unsafe security definer
rows 1
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_goal text;
    v_item_id bigint;
    v_other_id bigint;
begin
    perform policy.require_principal();
    v_goal := selection.require_goal(teach_item.goal);
    v_item_id := catalog.item_id(teach_item.kinds, teach_item.name);
    kind := (select i.kind from catalog.item as i where i.id = v_item_id);
    if teach_item.instead_of is not null then
        v_other_id := catalog.item_id(array[kind], teach_item.instead_of);
    end if;
    if v_other_id = v_item_id then
        perform core.fail(
            'argument_invalid',
            format('%L cannot be right and wrong for the same goal', left(teach_item.name, 200)),
            null,
            'Name another item as the wrong one, or none.'
        );
    end if;
    replaced := (
        select i.public_name
        from search.teaching as t
        inner join catalog.item as i on i.id = t.ref
        where coalesce(t.organisation_id, 0) = coalesce(policy.organisation_id(), 0)
            and t.kind = teach_item.kind
            and t.goal_hash = search.goal_hash(v_goal)
            and policy.is_visible(i.rights_class, (select policy.visible_classes()))
    );
    teaching := search.put_teaching(
        kind,
        v_goal,
        coalesce(teach_item.query_vector, case when core.has_capability('embed') then search.embed_goal(v_goal) end),
        v_item_id,
        v_other_id,
        teach_item.reason
    );
    organisation := (select o.name from policy.organisation as o where o.id = policy.organisation_id());
    return next;
end
$function$;
comment on function api.teach_item(text[], text, text, text, ext.vector, text) is
'Teaches searches which item is right for a goal, and for goals like it. Only the searches of the caller''s '
'organisation change. The item ranks higher the more a goal is like this one. No search shows an item to somebody who '
'may not see it. A teaching for the same goal is replaced. Arguments: kinds: kinds of card in which to look for the '
'names (null: all kinds); goal: what a caller wants to do; name: public name of the right item; instead_of: public '
'name of a wrong item, which ranks lower for such goals (null: none); query_vector: unit vector of the goal in the '
'active model (null: the database or the service computes it); reason: reason for the teaching. Returns the number of '
'the teaching, the kind of the item, the organisation (null: principals without an organisation), and the item that '
'was taught for this goal before (null: none). Raises QM404 tool_not_found, asset_not_found, card_not_found, QM409 '
'asset_ambiguous, card_ambiguous, teachings_full, QM413 goal_too_long, QM422 goal_empty, argument_invalid, '
'dimension_mismatch. Can be null: organisation, replaced.';
grant execute on function api.teach_item to qm_operator;
