begin;
select plan(6);

select t.make_catalog(), t.make_principal('op', 'operator');
select t.read_as('op', 'qm_operator');
select api.put_model('m', 2);
select is(api.status() -> 'unembedded', '4'::jsonb, 'four texts wait');
create temporary table waiting as select u.* from api.claim_unembedded('m', 3) as u;
select is((select count(*) from waiting), 3::bigint, 'as many as asked for');
select is((select count(*) from waiting as w where w.text_hash = sha256(convert_to(w.embedding_text, 'UTF8')) and w.kind = 'tool'), 3::bigint, 'with the hash of their text');
select is((select api.store_embeddings('m', array_agg(w.kind), array_agg(w.text_hash), array_agg('[1,0]'::text)) from waiting as w), 3, 'stored');
select is((select count(*) from api.claim_unembedded('m') as u), 1::bigint, 'one is left');
select throws_ok($$select * from api.claim_unembedded('x')$$, 'QM404', null, 'an unknown model');

select * from finish();
rollback;
