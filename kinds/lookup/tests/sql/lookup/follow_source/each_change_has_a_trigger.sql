begin;
select plan(3);

select t.make_source('herb');
select lookup.follow_source(t.lookup_id('herb'), 'public.herb');
select results_eq(
    $$select replace(g.tgname, t.lookup_id('herb')::text, 'N')::text from pg_trigger as g where g.tgrelid = 'public.herb'::regclass order by 1$$,
    '{qm_lookup_N_delete,qm_lookup_N_insert,qm_lookup_N_truncate,qm_lookup_N_update}'::text[], 'on the table of the user'
);
insert into public.herb (id) values ('9');
select results_eq($$select c.key from lookup.source_change as c$$, '{9}'::text[], 'which note what changes');
select lives_ok($$select lookup.follow_source(t.lookup_id('herb'), 'public.herb')$$, 'a second time changes nothing');

select * from finish();
rollback;
