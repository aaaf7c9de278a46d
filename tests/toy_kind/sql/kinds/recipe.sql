-- Recipes: their row policies and grants, and the row of the kind.
drop policy if exists owner_all on recipes.recipe;
drop policy if exists user_reads on recipes.recipe;
create policy owner_all on recipes.recipe to qm_owner using (true);
create policy user_reads on recipes.recipe for select to qm_reader
using (exists (select from catalog.item as i where i.id = item_id));
grant usage on schema recipes to qm_reader;
grant select on recipes.recipe to qm_reader;
grant execute on function recipes.describe(bigint) to qm_reader;

select search.put_kind(
    'recipe', 'Recipes',
    p_fields => '{name, origin, description, ingredients}', p_outcomes => 'reported',
    p_card_function => 'recipes.card', p_store_function => 'recipes.store',
    p_describe_function => 'recipes.describe'
);
