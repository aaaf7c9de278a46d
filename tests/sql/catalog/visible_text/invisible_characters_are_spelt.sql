begin;
select plan(3);

select is(catalog.visible_text(U&'a\200Bb\202Ec' || chr(27) || chr(x'E0041'::integer)), 'a<U+200B>b<U+202E>c<U+001B><U+E0041>', 'each by its number');
select is(catalog.visible_text(E'plain\n日本語 é'), E'plain\n日本語 é', 'all others are left');
select is(catalog.visible_text(''), '', 'nothing is nothing');

select * from finish();
rollback;
