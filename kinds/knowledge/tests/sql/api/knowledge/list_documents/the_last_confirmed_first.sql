begin;
select plan(3);

select t.make_principal('op', 'operator');
select t.at('2026-01-01 12:00 UTC');
select service.store_document('acme', 'send', 'Context7', 'Acme', 'https://acme.example', 'Call send.');
select t.at('2026-02-01 12:00 UTC');
select service.store_document('zebra', '', 'Context7', 'Zebra', 'https://zebra.example', 'A text.');
select service.record_provider_failure('Context7', 'status 503', 60);
select t.act_as('op', 'qm_operator');
select results_eq(
    $$select d.library, d.topic, d.bytes, d.checked_at, d.is_stale, d.paused_until, d.because from api.list_documents() as d$$,
    $$values ('zebra', '', 7, '2026-02-01 12:00 UTC'::timestamptz, false, '2026-02-01 12:01 UTC'::timestamptz, 'status 503'),
        ('acme', 'send', 10, '2026-01-01 12:00 UTC', true, '2026-02-01 12:01 UTC', 'status 503')$$, 'with the pause of their provider'
);
select is((select count(*) from api.list_documents(1)), 1::bigint, 'as many as are wanted');
select t.act_as('op');
select throws_ok($$select api.list_documents()$$, '42501', null, 'users see none of it');

select * from finish();
rollback;
