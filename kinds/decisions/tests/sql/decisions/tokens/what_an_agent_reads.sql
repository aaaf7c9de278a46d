begin;
select plan(2);

select is(decisions.tokens('Use the session.', '', 'src/**', 'Why.'), 37, 'its texts and its links');
select is(decisions.tokens('Use the session.', '', 'src/**', repeat('x', 4000)), decisions.tokens('Use the session.', '', 'src/**', repeat('x', 300)), 'of a long reason only what agents get');

select * from finish();
rollback;
