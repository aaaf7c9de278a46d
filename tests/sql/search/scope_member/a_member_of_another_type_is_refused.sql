begin;
select plan(6);

select is(search.scope_member('{"among": [1]}', 'among', 'array'), '[1]', 'a member');
select is(search.scope_member('{"domain": "x"}', 'among', 'array'), null, 'one that is not there');
select is(search.scope_member('{"among": null}', 'among', 'array'), null, 'nor is JSON''s null');
select is(search.scope_member(null, 'among', 'array'), null, 'no scope has none');

select throws_ok(
    $$select search.scope_member('{"among": "abc"}', 'among', 'array')$$, 'QM422',
    'scope.among must be of type array, got: "abc"', 'a text is no list'
);
select throws_ok(
    $$select search.scope_member('{"domain": [1]}', 'domain', 'string')$$, 'QM422',
    'scope.domain must be of type string, got: [1]', 'a list is no text'
);

select * from finish();
rollback;
