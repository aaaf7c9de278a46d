begin;
select plan(3);

select is(knowledge.find_domain('ai-Frameworks'), 'AI frameworks', 'case and hyphens do not matter');
select is(knowledge.find_domain('database'), 'databases', 'another word for it');
select throws_ok($$select knowledge.find_domain('cooking')$$, 'QM404', 'there is no domain called ''cooking''', 'an unknown domain');

select * from finish();
rollback;
