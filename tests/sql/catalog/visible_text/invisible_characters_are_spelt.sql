begin;
select plan(4);

select is(catalog.visible_text(U&'a\200Bb\202Ec' || chr(27) || chr(x'E0041'::integer)), 'a<U+200B>b<U+202E>c<U+001B><U+E0041>', 'each by its number');
select is(catalog.visible_text(E'plain\n日本語 é'), E'plain\n日本語 é', 'all others are left');
select is(catalog.visible_text(''), '', 'nothing is nothing');

select is(
    catalog.visible_text(U&'a\034Fb\3164c\180Bd\FFF9e\2800f'), 'a<U+034F>b<U+3164>c<U+180B>d<U+FFF9>e<U+2800>f',
    'also those that are letters or marks by their names'
);

select * from finish();
rollback;
