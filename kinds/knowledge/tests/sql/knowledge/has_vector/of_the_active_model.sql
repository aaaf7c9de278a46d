begin;
select plan(3);

select t.make_project('shop', 'alice'), t.make_library('shop', 'acme');
create temporary table stored as select c.text_hash from search.card as c where c.kind = 'symbol';
select search.put_model('m', 4, true);
select is(knowledge.has_vector(s.text_hash), false, 'a text waits for its vector') from stored as s;
select t.embed_cards('symbol', 'm');
select is(knowledge.has_vector(s.text_hash), true, 'the vector is there') from stored as s;
select search.put_model('other', 4, true);
select is(knowledge.has_vector(s.text_hash), false, 'that of another model does not count') from stored as s;

select * from finish();
rollback;
