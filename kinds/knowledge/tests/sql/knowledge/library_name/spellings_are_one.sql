begin;
select plan(2);

select is(knowledge.library_name(' Acme_.-Post '), 'acme-post', 'case and separators do not matter');
select is(length(knowledge.library_name(repeat('a', 300))), 200, 'what is long is cut');

select * from finish();
rollback;
