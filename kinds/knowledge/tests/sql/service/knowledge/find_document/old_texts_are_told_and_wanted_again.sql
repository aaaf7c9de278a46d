begin;
select plan(5);

select t.at('2026-01-01 12:00 UTC');
select results_eq(
    $$select text, is_stale, may_ask from service.find_document('acme', 'send', 'Context7')$$,
    $$values (null::text, null::boolean, true)$$, 'nothing was fetched, and the provider may be asked'
);
select service.store_document('acme', 'send', 'Context7', 'Acme', 'https://acme.example', 'Call send.');
select results_eq(
    $$select source, title, url, text, is_stale from service.find_document('Acme', ' Send ', 'Another')$$,
    $$values ('Context7', 'Acme', 'https://acme.example', 'Call send.', false)$$, 'what one provider sent, whoever is asked now'
);
select is((select d.wanted_at from knowledge.document as d), null, 'nobody waits for a newer text');
select t.at('2026-02-01 12:00 UTC');
select ok((select is_stale from service.find_document('acme', 'send', 'Context7')), 'a month later it is old');
select is((select d.wanted_at from knowledge.document as d), '2026-02-01 12:00 UTC'::timestamptz, 'and somebody waits');

select * from finish();
rollback;
