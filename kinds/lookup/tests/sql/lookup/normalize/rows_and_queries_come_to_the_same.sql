begin;
select plan(9);

select is(lookup.normalize(E'  \u00c4lg \u00a0 '), 'alg', 'accents, case and blanks of any kind');
select is(lookup.normalize('ﬁnal œuvre'), 'final oeuvre', 'ligatures');
select is(lookup.normalize('MjÃ¶lingsÃ¶ren'), 'mjolingsoren', 'UTF-8 that was read as Latin-1');
select is(lookup.normalize('Ãber'), 'aber', 'what only looks like it stays');
select is(lookup.normalize('Girling (1977b)'), 'girling 1977 b', 'a year and its letter');
select is(lookup.normalize('J. Quat. Sci.'), 'j quat sci', 'punctuation');
select is(lookup.normalize(' Älg ', '{lower}'), ' älg ', 'only the steps asked for');
select is(lookup.normalize(''), '', 'nothing');
select throws_ok($$select lookup.normalize('x', '{upper}')$$, 'QM422', null, 'a step that is none');

select * from finish();
rollback;
