begin;
select plan(6);

select t.make_principal('alice'), t.make_kind('memo'), t.make_kind('essay');
select t.read_as('alice');
select is(search.require_kinds('{memo,essay,memo}'), '{essay,memo}', 'each once, in order');
select is(search.require_kinds(null), array[search.default_kind()], 'the default');
select throws_ok($$select search.require_kinds('{memo,nothing}')$$, 'QM404', 'there is no kind of card called ''nothing''', 'an unknown one');
select throws_ok($$select search.require_kinds('{}')$$, 'QM404', null, 'none at all');
select throws_ok($$select search.require_kinds('{memo,null}')$$, 'QM404', null, 'one without a name');
select t.read_as(null);
select throws_ok($$select search.require_kinds('{memo}')$$, 'QM403', null, 'nobody sees any');

select * from finish();
rollback;
