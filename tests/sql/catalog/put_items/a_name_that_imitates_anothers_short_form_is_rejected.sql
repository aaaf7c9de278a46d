begin;
select plan(2);

select t.make_origin('o');
select t.make_tool('o', 'a b');
create temporary table taken as select substr(t.public_name, 4) as name from catalog.item as t;
select results_eq(
    $$select p.outcome from t.put_tools(jsonb_build_array(jsonb_build_object('origin', 'o', 'name', (select name from taken)), '{"origin": "o", "name": "other"}'::jsonb)) as p$$,
    array['rejected', 'added'], 'against a tool that is there'
);
delete from search.lexical;
delete from search.card;
delete from catalog.item_version;
delete from catalog.item;
select results_eq(
    $$select p.outcome from t.put_tools(jsonb_build_array('{"origin": "o", "name": "a b"}'::jsonb, jsonb_build_object('origin', 'o', 'name', (select name from taken)))) as p$$,
    array['added', 'rejected'], 'and within a batch'
);

select * from finish();
rollback;
