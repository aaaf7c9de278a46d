begin;
select plan(3);

select throws_ok($$select search.put_kind('odd', 'odd', p_is_default => true)$$, 'QM422', null, 'there is a default already');
select is_empty($$select from search.kind as k where k.name = 'odd'$$, 'and so no such kind');
select lives_ok($$select search.put_kind(search.default_kind(), 'the default again', p_is_default => true)$$, 'the default may stay the default');

select * from finish();
rollback;
