begin;
select plan(3);

select t.make_kind('missed');
select t.make_card('missed', 1, 'one', 'one'), t.make_card('missed', 2, 'two', 'two');
select search.put_model('some', 2, true);
select is(search.count_missing(search.model_id('some')), (select count(distinct c.text_hash) from search.card as c), 'every text');
select t.embed_cards('missed', 'some');
select is(
    search.count_missing(search.model_id('some')),
    (select count(distinct c.text_hash) from search.card as c where c.kind <> 'missed'), 'those of other kinds'
);
select search.put_model('other', 2, false);
select is(search.count_missing(search.model_id('other')), (select count(distinct c.text_hash) from search.card as c), 'each model by itself');

select * from finish();
rollback;
