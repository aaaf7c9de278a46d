begin;
select plan(2);

select set_eq(
    $$select p.key, p.value::double precision from jsonb_each_text(to_jsonb(decisions.rank_weights())) as p$$,
    $$select w.part, w.weight from decisions.rank_weight as w$$, 'every part is read, and nothing else'
);
update decisions.rank_weight set weight = 2 where part = 'place';
select is((decisions.rank_weights()).place, 2::double precision, 'a change of the table counts');

select * from finish();
rollback;
