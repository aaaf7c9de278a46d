-- Recipes: what only a recipe has stands beside catalog.item.
create schema recipes;

create table recipes.recipe (
    item_id bigint primary key references catalog.item,
    servings integer not null check (servings > 0)
);
comment on table recipes.recipe is 'For how many each recipe is.';
alter table recipes.recipe enable row level security;
alter table recipes.recipe force row level security;
