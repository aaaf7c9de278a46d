begin;
select plan(3);

select t.make_assets(), t.make_principal('alice');
select t.make_rules('{"rules": [{"effect": "deny", "subject": "everyone", "origins": ["second"]}]}');
select t.act_as('alice');
select throws_ok($$select api.find_origin('second')$$, 'QM404', 'there is no origin called ''second''', 'a hidden one');
select throws_ok($$select api.find_origin('third')$$, 'QM404', 'there is no origin called ''third''', 'the same words as for none');
select isnt((select api.find_origin('first')), null, 'one that is seen');

select * from finish();
rollback;
