-- Ten recipes: search_cards finds them by the same engine, and finding tools is not disturbed.
begin;
select plan(5);

select t.make_catalog();
select t.make_kind('recipe');
select search.put_cards(
    'recipe',
    (
        select jsonb_agg(jsonb_build_object(
            'ref', r.ref, 'name', r.name, 'origin', 'cookbook', 'label', r.name, 'brief', r.text, 'fields', jsonb_build_array(r.name, 'cookbook', r.text, ''),
            'embedding_text', r.name || ': ' || r.text
        ))
        from (
            values (1, 'pancakes', 'Flour, milk and eggs, fried.'), (2, 'tomato soup', 'Tomatoes and basil.'), (3, 'risotto', 'Rice with stock.'),
            (4, 'ramen', 'Noodles in broth.'), (5, 'guacamole', 'Avocado and lime.'), (6, 'hummus', 'Chickpeas and tahini.'),
            (7, 'apple pie', 'Apples in pastry.'), (8, 'paella', 'Rice with saffron.'), (9, 'borscht', 'Beetroot soup.'),
            (10, 'time cake', 'A cake to open at a ticket office.')
        ) as r (ref, name, text)
    )
);
create temporary table ten as select array_agg(p.oid::regprocedure::text order by 1) as functions
from pg_proc as p where p.pronamespace = 'search'::regnamespace;
select t.make_principal('alice'), t.read_as('alice');
select results_eq(
    $$select f.name from api.search_cards('rice with saffron', '{recipe}') as f limit 1$$, array['paella'], 'by words'
);
select results_eq(
    $$select f.name from api.search_cards('guacamoli', '{recipe}') as f limit 1$$, array['guacamole'], 'by a mistyped name'
);
select set_eq($$select distinct f.origin from api.search_cards('open a ticket at a time', '{recipe}') as f$$, array['cookbook'], 'only cards of this kind');
select bag_eq($$select f.name from api.select_tools('open a ticket at a time') as f where f.origin = 'cookbook'$$, array[]::text [], 'tools stay tools');
select is((select r.kind from selection.receipt as r order by r.id limit 1), 'recipe', 'with a receipt of its kind');

select * from finish();
rollback;
