begin;
select plan(2);

select is(audit.without_secrets('{"a": 1, "b": "x", "c": null}', '{b,c}'), '{"a": 1, "b": "hidden", "c": null}', 'those that are there');
select is(audit.without_secrets(null, '{b}'), null, 'no row stays none');

select * from finish();
rollback;
