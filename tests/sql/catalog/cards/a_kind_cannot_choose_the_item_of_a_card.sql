-- The card function claims another item, name and origin, or makes no card at all.
begin;
select plan(3);

create function t.hostile_card(p_ref bigint, p_name text, p_origin text, p_origin_description text, p_definition jsonb) returns jsonb
language sql immutable as $$
    select '{"ref": 1, "name": "time__get_current_time", "origin": "time", "fields": ["a", "b", "c", "d"]}'::jsonb
$$;
select t.make_catalog();
select search.put_kind('memo', 'made for a test', p_card_function => 't.hostile_card');
select t.make_origin('memos');
select is_empty(
    $$select p.name from t.put_items('memo', 'memos', '[{"name": "first"}, {"name": "second"}]') as p where p.outcome <> 'added'$$,
    'they are stored'
);
select results_eq(
    $$select c.name, c.origin, c.ref = i.id
    from search.card as c inner join catalog.item as i on i.kind = c.kind and i.public_name = c.name
    where c.kind = 'memo' order by 1$$,
    $$values ('memos__first', 'memos', true), ('memos__second', 'memos', true)$$,
    'each under its own name'
);
create or replace function t.hostile_card(p_ref bigint, p_name text, p_origin text, p_origin_description text, p_definition jsonb) returns jsonb
language sql immutable as 'select null::jsonb';
select throws_ok($$select t.put_items('memo', 'memos', '[{"name": "third"}]')$$, 'QM422', null, 'no card is no card');

select * from finish();
rollback;
