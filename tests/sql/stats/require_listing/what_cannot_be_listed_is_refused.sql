begin;
select plan(4);

select throws_ok($$select stats.require_listing('moon', '{tool}', null)$$, 'QM422', null, 'an unknown subject');
select throws_ok($$select stats.require_listing(null, '{tool}', null)$$, 'QM422', null, 'none');
select throws_ok($$select stats.require_listing('tool', '{tool}', 'week')$$, 'QM422', null, 'an unknown period');
select lives_ok($$select stats.require_listing('tool', '{tool}', 'day'), stats.require_listing('tool', '{tool}', null)$$, 'all else is listed');

select * from finish();
rollback;
