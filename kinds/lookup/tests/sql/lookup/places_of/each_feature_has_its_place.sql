begin;
select plan(3);

select is(
    (lookup.places_of('{exact,alias,sem}')).alias, 2, 'a feature stands where its name stands'
);
select is((lookup.places_of('{exact,alias,sem}')).in_word, null, 'one that is not there has no place');
select set_eq(
    $$select p.key from jsonb_object_keys(to_jsonb(null::lookup.places)) as p (key) union select a.attname::text
    from pg_attribute as a where a.attrelid = 'lookup.places'::regclass and a.attnum > 0$$,
    $$select p.key from jsonb_each(to_jsonb(lookup.places_of(search.feature_names('lookup')))) as p where p.value <> 'null'$$,
    'the feature set has every feature that is read by name'
);

select * from finish();
rollback;
