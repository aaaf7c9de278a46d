begin;
select plan(4);
select t.make_principal('eve', 'admin');
select t.make_project('shop', 'alice');
select t.make_library('shop', 'parcels');
select set_config('t.features', array_length(search.feature_names('symbol'), 1)::text, true);
select t.act_as('eve', 'qm_admin');
select is_empty($$select from api.symbol_examples('parcels', 'send a parcel', null)$$, 'whoever is no member learns nothing, not even an administrator');
select t.act_as('alice', 'qm_admin');
select results_eq(
    $$select name, paths from api.symbol_examples('parcels', 'send a parcel', null)$$, $$values ('parcels.send', '{parcels.core.send}'::text[])$$,
    'a member gets the candidates of the library'
);
select is(
    (select array_length(e.features, 1) from api.symbol_examples('parcels', 'send a parcel', null) as e),
    current_setting('t.features')::integer,
    'each has a value for every feature'
);
select is_empty($$select from api.symbol_examples('unheard-of', 'send a parcel', null)$$, 'a library that nobody has read has none');
select * from finish();
rollback;
