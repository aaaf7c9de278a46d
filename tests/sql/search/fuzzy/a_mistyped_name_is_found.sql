begin;
select plan(4);

select t.make_catalog();
select results_eq($$select t.name_of(f.card_id) from search.fuzzy('tool', 'get curent tme', 1) as f$$,
    array['time__get_current_time'], 'the nearest name');
select results_eq($$select t.name_of(f.card_id) from search.fuzzy('tool', 'LIST-TICKETS', 1) as f$$,
    array['tracker__listTickets'], 'case and separators do not matter');
select is_empty($$select * from search.fuzzy('tool', 'zzzz', 5)$$, 'nothing is like this');
select is_empty($$select * from search.fuzzy('tool', 'get current time', 0)$$, 'nothing asked for');

select * from finish();
rollback;
