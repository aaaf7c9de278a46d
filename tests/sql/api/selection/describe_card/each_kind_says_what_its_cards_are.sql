begin;
select plan(10);

select t.at('2026-01-01 00:00+00');
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
select t.act_as_superuser();
select t.at('2027-01-01 00:00+00');
select t.put_items('tool', 'time', '[{"name": "convert_time", "description": "Converts a time."}]');
select t.act_as('alice');
select is(api.describe_card('tool', 'time__convert_time') #>> '{definition,description}', 'Converts a time.', 'as it is now');
select results_eq(
    $$select d ->> 'version', d #>> '{definition,description}' from api.describe_card('tool', 'time__convert_time', '2026-12-31') as d$$,
    $$values ('1', 'Convert a time between timezones.')$$, 'as it was offered then'
);
select throws_ok($$select api.describe_card('tool', 'time__convert_time', '2000-01-01')$$, 'QM404', null, 'before there was any');
select t.act_as(null);
select throws_ok($$select api.describe_card('memo', 'open memo')$$, 'QM403', null, 'nobody');

select * from finish();
rollback;
