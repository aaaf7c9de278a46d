begin;
select plan(7);

select is(catalog.brief('Does it. And more.'), 'Does it.', 'the first sentence');
select is(catalog.brief(E'  Spread\n over   lines'), 'Spread over lines', 'on one line');
select is(catalog.brief('Use v1.2 of e.g this'), 'Use v1.2 of e.g this', 'a point inside a word ends nothing');
select is(length(catalog.brief(repeat('x', 500))), 160, 'at most 160 characters');
select is(right(catalog.brief(repeat('word ', 100)), 1), '…', 'a cut is shown');
select is(catalog.brief(null), '', 'nothing is nothing');
select is(catalog.brief('時間を返す。詳細は後。'), '時間を返す。詳細は後。', 'without a space after the stop it is one sentence');

select * from finish();
rollback;
