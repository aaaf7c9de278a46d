-- Recipes: their row policies and grants, and the row of the kind.
drop policy if exists owner_all on recipes.recipe;
drop policy if exists user_reads on recipes.recipe;
create policy owner_all on recipes.recipe to qm_owner using (true);
create policy user_reads on recipes.recipe for select to qm_reader
using (exists (select from catalog.item as i where i.id = item_id));
grant usage on schema recipes to qm_reader;
grant select on recipes.recipe to qm_reader;
grant execute on function recipes.describe(bigint) to qm_reader;

insert into core.error_code (slug, status, retryable, meaning, next_step)
values
(
    'recipe_not_found', 404, false,
    'There is no recipe with this name, or you may not see it.',
    'List the recipes with: qm card list --kind recipe.'
);

select search.put_kind(
    'recipe', 'Recipes', p_not_found => 'recipe_not_found',
    p_fields => '{name, origin, description, ingredients}', p_outcomes => 'reported',
    p_card_function => 'recipes.card', p_store_function => 'recipes.store',
    p_describe_function => 'recipes.describe'
);

insert into core.setting (name, value, description)
values ('recipe.stirs', '3', 'How often a recipe is stirred.')
on conflict (name) do nothing;

select jobs.put_job('stir', 'Stirs all recipes.', interval '1 hour', 'recipes.stir');
