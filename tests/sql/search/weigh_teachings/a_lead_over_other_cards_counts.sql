begin;
select plan(7);

create function pg_temp.weighed(p_nearness real[], p_rival real, p_against bigint[] default '{null}', p_ids bigint[] default '{1}', p_wrong real default 0.2) returns table (card_id bigint, odds numeric)
language sql as $$
    select w.card_id, round(w.odds::numeric, 2)
    from search.weigh_teachings(p_ids, p_against, p_nearness, array[
        row(1, 'right', null, 0, 0.9, 0, '{}', '{}')::search.candidate,
        row(2, 'right', null, 0, 0.9, 0, '{}', '{}')::search.candidate,
        row(3, 'rival', null, 0, p_rival, 0, '{}', '{}')::search.candidate,
        row(4, 'wrong', null, 0, p_wrong, 0, '{}', '{}')::search.candidate
    ]) as w
    order by w.card_id;
$$;
select results_eq($$select * from pg_temp.weighed('{0.8}', 0.5)$$, $$values (1::bigint, 4.00)$$, 'far nearer than another card: all; a twin does not count');
select results_eq($$select * from pg_temp.weighed('{0.6}', 0.5)$$, $$values (1::bigint, 2.00)$$, 'a little nearer: half');
select is_empty($$select * from pg_temp.weighed('{0.35}', 0.5)$$, 'as a goal that only shares a word: nothing');
select results_eq($$select * from pg_temp.weighed('{Infinity}', 1)$$, $$values (1::bigint, 8.00)$$, 'the same goal: twice');
select results_eq($$select * from pg_temp.weighed('{0.8}', 0.5, '{4}')$$, $$values (1::bigint, 4.00), (4::bigint, -1.00)$$, 'the wrong card is lowered');
select results_eq($$select * from pg_temp.weighed('{0.8,0.6}', 0.5, '{null,null}', '{1,1}')$$, $$values (1::bigint, 4.00)$$, 'the strongest of several');
select results_eq($$select * from pg_temp.weighed('{0.8}', 0.5, '{4}', '{1}', 0.95)$$, $$values (1::bigint, 4.00)$$, 'not for what it is itself nearest to');

select * from finish();
rollback;
