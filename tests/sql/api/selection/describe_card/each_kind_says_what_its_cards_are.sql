begin;
select plan(7);

select t.make_catalog(), t.make_principal('alice'), t.make_kind('memo'), t.make_card('memo', 7, 'open memo', 'open'), t.make_card('memo', 8, 'secret memo', 'secret');
select t.make_rules('{"rules": [{"effect": "deny", "subject": "everyone", "names": "secret*"}]}');
create function t.memo_text(p_ref bigint) returns jsonb language sql stable as $$ select jsonb_build_object('text', 'memo ' || p_ref) $$;
select t.act_as('alice');
select is(api.describe_card('memo', 'open memo'), '{"kind": "memo", "name": "open memo", "origin": "", "brief": ""}', 'by default what every card has');
select t.act_as_superuser();
select search.put_kind('memo', 'made for a test', p_describe_function => 't.memo_text');
select t.act_as('alice');
select is(api.describe_card('memo', 'open memo') ->> 'text', 'memo 7', 'and what its kind says');
select throws_ok($$select api.describe_card('memo', 'secret memo')$$, 'QM404', 'there is no memo called ''secret memo''', 'hidden');
select throws_ok($$select api.describe_card('memo', 'no memo')$$, 'QM404', 'there is no memo called ''no memo''', 'absent');
select throws_ok($$select api.describe_card('memo', null)$$, 'QM404', null, 'null');
select throws_ok($$select api.describe_card('no_kind', 'open memo')$$, 'QM404', null, 'an unknown kind');
select t.act_as(null);
select throws_ok($$select api.describe_card('memo', 'open memo')$$, 'QM403', null, 'nobody');

select * from finish();
rollback;
