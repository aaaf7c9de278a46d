-- recipes.store: what only a recipe has, from its definition.
-- Writes: recipes.recipe.
create or replace function recipes.store(p_item_ids bigint[])
returns void
language sql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    insert into recipes.recipe (item_id, servings)
    select i.id, coalesce((i.definition ->> 'servings')::integer, 1)
    from catalog.item as i
    where i.id = any(p_item_ids)
    on conflict (item_id) do update set servings = excluded.servings;
$function$;
comment on function recipes.store(bigint[]) is 'Argument: recipes that are new or changed.';
