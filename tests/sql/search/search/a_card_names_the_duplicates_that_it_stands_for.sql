begin;
select plan(2);

select t.make_kind('twin');
select search.put_cards(
    'twin', '[{"ref": 1, "name": "a", "label": "search", "fields": ["search", "", "search the web"], "embedding_text": "x"},
    {"ref": 2, "name": "b", "label": "search", "fields": ["search", "", "search the web with this"], "embedding_text": "y"},
    {"ref": 3, "name": "c", "label": "search", "fields": ["search", "", "search the mail"], "embedding_text": "z"},
    {"ref": 4, "name": "d", "label": "find", "fields": ["find", "", "search the web"], "embedding_text": "w"}]'
);
select search.put_model('test-2', 2, true);
select search.store_embeddings(
    'test-2', array_agg(c.kind), array_agg(c.text_hash), array_agg(case c.ref when 2 then '[0.99, 0.141]' when 3 then '[0, 1]' else '[1, 0]' end)
)
from search.card as c
where c.kind = 'twin';
create temporary table found as
select t.ref_of(s.card_id) as ref, array(select t.ref_of(x.id) from unnest(s.twins) as x (id)) as twins
from search.search('twin', 'search the web', '[1, 0]', 5, 5, 0, 40, '{1, 1, 0}') as s;
select set_eq('select f.ref from found as f', '{1, 3, 4}'::bigint [], 'a duplicate is left out');
select results_eq('select f.ref, f.twins from found as f where f.twins <> ''{}''', $$values (1::bigint, '{2}'::bigint [])$$, 'the card that stands for it names it');

select * from finish();
rollback;
