begin;
select plan(4);

select t.make_catalog(), t.make_kind('memo'), t.make_card('memo', 1, 'one', 'harbour'), t.make_card('memo', 2, 'two', 'harbour');
update core.setting set value = '1' where name = 'outage.most_cards';
create function pg_temp.kept(p_kind text) returns bigint language sql as $$
    select count(*)
    from jsonb_array_elements(service.read_outage_copy() -> 'cards') as x
    inner join search.card as c on c.id = (x ->> 0)::bigint
    where c.kind = p_kind;
$$;
select is(pg_temp.kept('memo'), 0::bigint, 'a kind with more cards than the setting is not copied');
select is(service.read_outage_copy() #> '{kinds,memo,is_kept}', 'false', 'and the copy says so');
select ok(pg_temp.kept('tool') > 1, 'tools always are');
update core.setting set value = '2' where name = 'outage.most_cards';
select is(pg_temp.kept('memo'), 2::bigint, 'with as many cards it is');

select * from finish();
rollback;
