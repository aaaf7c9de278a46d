-- recipes.describe: what api.describe_card says of a recipe.
create or replace function recipes.describe(p_ref bigint)
returns jsonb
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select catalog.describe_item(p_ref) || jsonb_build_object('servings', r.servings)
    from recipes.recipe as r
    where r.item_id = p_ref;
$function$;
comment on function recipes.describe(bigint) is 'Argument: recipe. JSON {version, categories, traits, definition, servings}.';
