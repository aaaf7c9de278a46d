begin;
select plan(3);

select t.make_catalog(), t.make_principal('alice'), t.make_principal('op', 'operator');
select t.act_as('alice');
select throws_ok($$select * from api.list_queues()$$, '42501', null, 'a user may not');
select t.act_as_superuser();
update jobs.job set enabled = name in ('learn', 'refresh'), next_at = core.now() - interval '1 hour';
delete from catalog.refresh;
select t.read_as('op', 'qm_operator');
select api.request_refresh('time');
select results_eq(
    $$select q.name, q.waiting from api.list_queues() as q where q.name <> 'embeddings'$$,
    $$values ('refreshes', 1::bigint), ('jobs', 2)$$, 'refreshes that were asked for, jobs that are due'
);
select is(
    (select q.waiting from api.list_queues() as q where q.name = 'embeddings'), search.count_unembedded(), 'texts without a vector'
);

select * from finish();
rollback;
