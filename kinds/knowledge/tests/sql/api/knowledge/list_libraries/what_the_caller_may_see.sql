begin;
select plan(3);

select t.make_project('shop', 'alice'), t.make_principal('bob');
select t.make_library('shop', 'acme'), t.make_library('shop', 'both');
select search.put_model('m', 4, true);
select t.act_as('alice');
select results_eq(
    $$select l.name, l.version, l.modules, l.objects, l.cards, l.waiting, l.folders from api.list_libraries() as l$$,
    $$values ('acme', '1.0', '{acme}'::text[], 1, 1::bigint, 1::bigint, '{/srv/shop}'::text[]), ('both', '1.0', '{both}', 1, 1, 1, '{/srv/shop}')$$,
    'in the order of their names'
);
select t.act_as_superuser();
select t.embed_cards('symbol', 'm');
select t.act_as('alice');
select is((select sum(l.waiting) from api.list_libraries() as l), 0::numeric, 'no object waits for its vector');
select t.act_as('bob');
select is_empty($$select from api.list_libraries()$$, 'the libraries of others');

select * from finish();
rollback;
