begin;
select plan(4);

select is(lookup.beside_name('betula pendula betula nana', 'betula pendula'), '  betula nana ', 'what is left');
select is(lookup.beside_name('betula pendulae', 'betula pendula'), null, 'a longer word is another');
select is(lookup.beside_name('betula pendula', 'betula'), null, 'a name of one word is nothing');
select is(lookup.beside_name('betula pendula', 'betula pendula'), '  ', 'nothing is left of the name itself');

select * from finish();
rollback;
