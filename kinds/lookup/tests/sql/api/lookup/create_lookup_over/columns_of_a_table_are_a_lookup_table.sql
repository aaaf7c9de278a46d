begin;
select plan(17);

select t.make_principal('alice'), t.make_principal('op', 'operator');
create schema "herb arium";
create table "herb arium"."Plants ""of"" 1886" (
    "No." integer primary key, "The Name" text, synonyms text, trivial text[], "Family" text, lang text, kept boolean, secret text
);
insert into "herb arium"."Plants ""of"" 1886" values
(1, 'Betula pendula', 'Betula verrucosa|Betula alba', '{silver birch}', 'Betulaceae', 'la', true, 'x'),
(2, 'Betula nana', null, null, 'Betulaceae', null, null, 'x'),
(3, 'Poa pendula', '', '{}', 'Poaceae', 'la', false, 'x'),
(4, ' ', null, null, null, null, true, 'x');
create temporary table untouched as select * from "herb arium"."Plants ""of"" 1886";
create function pg_temp.over(p_value text default 'The Name', p_relation text default '"herb arium"."Plants ""of"" 1886"', p_name text default 'plant')
returns setof record language sql as $$
    select o.added, o.changed, o.unchanged, o.removed
    from api.create_lookup_over(
        p_name, p_relation, 'No.', p_value, array['synonyms', 'trivial'], array['Family'], 'lang', 'kept'
    ) as o;
$$;
select t.act_as('alice');
select throws_ok($$select * from api.create_lookup_over('plant', 'x', 'a', 'b')$$, '42501', null, 'a user may not');
select t.act_as('op', 'qm_operator');
select throws_ok($$select pg_temp.over()$$, 'QM422', 'qm_owner may not read the table "herb arium"."Plants ""of"" 1886"', 'what is not granted is not read');
select throws_ok($$select pg_temp.over(p_relation => 'policy.api_key')$$, 'QM422', 'there is no table policy.api_key', 'nor are tables of our own');
select throws_ok($$select pg_temp.over(p_relation => 'pg_catalog.pg_authid')$$, 'QM422', null, 'nor those of the system');
select throws_ok($$select pg_temp.over(p_relation => 'a; drop table b')$$, 'QM422', null, 'a name is a name');
select t.act_as_superuser();
grant usage on schema "herb arium" to qm_owner;
grant select ("No.", "The Name", synonyms, trivial, "Family", lang, kept) on "herb arium"."Plants ""of"" 1886" to qm_owner;
select t.act_as('op', 'qm_operator');
select throws_ok($$select pg_temp.over('Name')$$, 'QM422', 'the table "herb arium"."Plants ""of"" 1886" has no column "Name"', 'a column that is not there');
select throws_ok($$select pg_temp.over('secret')$$, 'QM422', null, 'or is not granted');
select throws_ok($$select * from api.create_lookup_over('plant', '"herb arium"."Plants ""of"" 1886"', 'No.', 'The Name', active_column => 'lang')$$, 'QM422', null, 'active is a boolean');
select throws_ok($$select * from api.create_lookup_over('plant', '"herb arium"."Plants ""of"" 1886"', 'No.', 'The Name', follow => true)$$, 'QM422', null, 'to follow takes a grant of its own');
select is((select count(*) from api.lookup_tables()), 0::bigint, 'nothing was made');
select results_eq($$select * from pg_temp.over() as (added integer, changed integer, unchanged integer, removed integer)$$, $$values (3, 0, 0, 0)$$, 'rows with a value are read');
select results_eq($$select r.id, r.value, r.aliases, r.language, r.active from api.lookup_rows('plant', active_only => false) as r$$,
    $$values ('1', 'Betula pendula', array['Betula alba', 'Betula verrucosa', 'silver birch'], 'la', true), ('2', 'Betula nana', '{}', '', true), ('3', 'Poa pendula', '{}', 'la', false)$$,
    'with aliases of text and of arrays');
select is((select s.id from api.search_lookup('plant', 'silver birch') as s where s.rank = 1), '1', 'an alias is found');
select is((select g.properties from api.get_by_id('plant', '1') as g), '{"Family": "Betulaceae"}', 'with its properties');
select throws_ok($$select * from api.load_lookup('plant', '[]')$$, 'QM409', null, 'nothing else is loaded into it');
select api.create_lookup('own');
select api.load_lookup('own', '[{"id": "1", "value": "x"}]');
select throws_ok($$select pg_temp.over(p_name => 'own')$$, 'QM409', null, 'nor is a table with rows laid over another');
select t.act_as_superuser();
select set_eq($$select * from "herb arium"."Plants ""of"" 1886"$$, $$select * from untouched$$, 'the table is as it was');

select * from finish();
rollback;
