begin;
select plan(3);

select t.make_kind('twin');
select search.put_cards(
    'twin', '[{"ref": 1, "name": "a", "label": "search", "fields": ["search", "", "search the web"], "embedding_text": "x"},
    {"ref": 2, "name": "b", "label": "search", "fields": ["search", "", "search the web with this"], "embedding_text": "y"},
    {"ref": 3, "name": "c", "label": "search", "fields": ["search", "", "search the mail"], "embedding_text": "z"}]'
);
select search.put_model('test-2', 2, true);
select search.store_embeddings(
    'test-2', array_agg(c.kind), array_agg(c.text_hash), array_agg(case c.ref when 1 then '[1, 0]' when 2 then '[0.99, 0.141]' else '[0, 1]' end)
)
from search.card as c
where c.kind = 'twin';
select results_eq(
    $$select t.ref_of(s.card_id) from search.search('twin', 'search the web', '[1, 0]', 5, 5, 0, 40, '{1, 1, 0}') as s$$,
    array[1, 3]::bigint[], 'equal name and text almost equal: one; equal name and other text: both'
);
select results_eq(
    $$select t.ref_of(s.card_id) from search.search('twin', 'search the web with this', '[0.99, 0.141]', 5, 5, 0, 40, '{1, 1, 0}') as s$$,
    array[1, 3]::bigint[], 'the older one also where the other fits better'
);
update core.setting set value = '1.1' where name = 'search.duplicate_similarity';
select is(
    (select count(*) from search.search('twin', 'search the web', '[1, 0]', 5, 5, 0, 40, '{1, 1, 0}') as s), 3::bigint, 'above 1 none is left out'
);

select * from finish();
rollback;
