begin;
select plan(4);

select t.make_origin('first'), t.make_origin('second');
select t.make_tool('first', 'send_mail', 'Send a mail.'), t.make_tool('second', 'mail_out', 'Send a mail.'), t.make_tool('second', 'other', 'Something else.');
select is(catalog.scan_duplicates(array(select t.id from catalog.item as t)), 0, 'without a model there are no vectors');
select search.put_model('tiny', 3, true);
select t.embed_cards('tool', 'tiny');
update search.embedding as e set vector = t.unit_vector(3, 1, 0.01)
from search.card as c where c.text_hash = e.text_hash and c.name = 'second__mail_out';
update search.embedding as e set vector = t.unit_vector(3, 1)
from search.card as c where c.text_hash = e.text_hash and c.name = 'first__send_mail';
select t.make_principal('op', 'operator');
select set_config('qm.principal', p.id::text, true) from policy.principal as p where p.name = 'op';
set local session authorization qm_service;
set local role qm_test_operator;
select is((select s.findings from api.scan_items('{tool}', duplicates => true) as s), 1, 'one has a duplicate');
select results_eq($$select t.public_name, f.severity from catalog.finding as f inner join catalog.item as t on t.id = f.item_id$$, $$values ('second__mail_out', 'low')$$, 'the later one');
select ok((select t.is_live from catalog.item as t where t.name = 'mail_out'), 'which is no reason to put it away');

select * from finish();
rollback;
