begin;
select plan(3);

select is(search.tokenize('Café naïve'), search.tokenize('cafe naive'), 'Latin accents are folded');
select is(search.tokenize('Straße'), search.tokenize('strasse'), 'sharp s too');
select is(search.tokenize('ПРИВЕТ'), search.tokenize('привет'), 'other scripts in lower case');

select * from finish();
rollback;
