begin;
select plan(4);

select t.make_project('shop', 'alice'), t.make_project('blog', 'alice');
select t.make_library('shop', 'acme'), t.make_library('blog', 'acme'), t.make_library('blog', 'other');
create temporary table stored as select count(*) as cards from search.card as c where c.kind = 'symbol' and c.name ~ '^other';
grant select on stored to public;
select t.act_as('alice', 'qm_user');
select results_eq(
    $$select r.cards, r.packages from api.remove_project('blog', dry_run => true) as r$$, $$select s.cards, 1::bigint from stored as s$$,
    'a preview counts packages with their objects'
);
select results_eq($$select r.packages from api.remove_project('blog') as r$$, '{1}'::bigint[], 'they go with the project');
select t.act_as_superuser();
select results_eq($$select d.name from knowledge.distribution as d$$, '{acme}'::text[], 'what another project has stays');
select is_empty($$select from search.card as c where c.kind = 'symbol' and c.name ~ '^other'$$, 'the objects go, too');

select * from finish();
rollback;
