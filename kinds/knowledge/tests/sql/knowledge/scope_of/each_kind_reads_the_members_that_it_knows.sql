-- Each kind reads the members of a scope that it knows, in every function that takes a scope.
begin;
select plan(10);

select t.make_catalog(), t.make_project('shop', 'alice');
select t.make_library('shop', 'acme');
select t.read_as('alice');
select throws_ok(
    format('select * from api.%s', c.call), 'QM422', c.message, c.call
)
from (
    values
    ($$search_cards('send', '{symbol}', scope => '{"among": "abc"}')$$, 'scope.among must be of type array, got: "abc"'),
    ($$search_cards('send', '{symbol}', scope => '{"distributions": "1"}')$$, 'scope.distributions must be of type array, got: "1"'),
    ($$search_cards('send', '{tool,symbol}', scope => '{"among": "abc"}')$$, 'scope.among must be of type array, got: "abc"'),
    ($$rerank_candidates('send', 'thorough', '{symbol}', scope => '{"among": "abc"}')$$, 'scope.among must be of type array, got: "abc"'),
    ($$find_cards('send', 'fast', '{symbol}', scope => '{"among": "abc"}')$$, 'scope.among must be of type array, got: "abc"'),
    ($$search_cards('send', '{passage}', scope => '{"domain": [1]}')$$, 'scope.domain must be of type string, got: [1]'),
    ($$search_cards('send', '{lookup}', scope => '{"table": "abc"}')$$, 'scope.table must be of type number, got: "abc"')
) as c (call, message);
select lives_ok($$select * from api.search_cards('send', '{tool}', scope => '{"among": "abc"}')$$, 'what a kind does not know says nothing to it');
select lives_ok($$select * from api.search_cards('send', '{symbol}', scope => '{"among": []}')$$, 'an empty list is a list');
select lives_ok($$select * from api.search_cards('send', '{passage}', scope => '{"domain": "x"}')$$, 'a text');

select * from finish();
rollback;
