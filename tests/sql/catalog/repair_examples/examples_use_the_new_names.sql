begin;
select plan(4);

select is(
    catalog.repair_examples('[{"q": "a", "account": "b", "n": 1}, {"arguments": {"q": "c"}, "note": "q"}, {"input": {"account": 1}}, 5]', '{"words": "q"}', '["account"]'),
    '[{"words": "a", "n": 1}, {"arguments": {"words": "c"}, "note": "q"}, {"input": {}}, 5]', 'also those in a member'
);
select is(catalog.repair_examples('[{"q": 1}]', '{}', '[]'), '[{"q": 1}]', 'nothing is renamed');
select is(catalog.repair_examples('{"q": 1}', '{"words": "q"}', '[]'), '{"q": 1}', 'what is no list is left as it is');
select is(catalog.repair_examples('[]', '{"words": "q"}', '[]'), '[]', 'no example');

select * from finish();
rollback;
