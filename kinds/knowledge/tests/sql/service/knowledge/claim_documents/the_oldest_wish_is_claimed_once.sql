begin;
select plan(5);

select t.at('2026-01-01 12:00 UTC');
select service.store_document(l.library, '', 'Context7', l.library, 'https://' || l.library, 'Call it.', '"1"')
from unnest('{acme,bolt,cord}'::text[]) as l (library);
select is_empty($$select from service.claim_documents()$$, 'nobody waits');
select t.at('2026-02-01 12:00 UTC');
select from service.find_document('bolt', '', 'Context7');
select t.at('2026-02-01 12:01 UTC');
select from service.find_document('acme', '', 'Context7');
select results_eq(
    $$select library, topic, provider, url, etag from service.claim_documents(1)$$,
    $$values ('bolt', '', 'Context7', 'https://bolt', '"1"')$$, 'the oldest wish, and no more than the caller takes'
);
select service.record_provider_failure('Context7', 'status 429', 60);
select is_empty($$select from service.claim_documents()$$, 'nothing while the provider is not asked');
select t.at('2026-02-01 12:02 UTC');
select results_eq('select library from service.claim_documents()', array['acme'], 'the other one after the pause');
select is_empty($$select from service.claim_documents()$$, 'each is claimed once');

select * from finish();
rollback;
