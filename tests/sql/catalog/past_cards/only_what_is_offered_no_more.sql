begin;
select plan(4);

select t.make_principal('alice'), t.make_origin('o');
select t.at('2026-11-10 00:00+00');
select t.make_tool('o', 'changed', 'First.'), t.make_tool('o', 'same', 'Same.');
select t.at('2026-11-12 00:00+00');
select t.make_tool('o', 'changed', 'Second.');
create function pg_temp.past(p_as_of timestamptz) returns table (name text, brief text, is_offer boolean) language sql security definer set search_path = '' as $$
    select c.card ->> 'name', c.card ->> 'brief', exists (select from catalog.offer as f where f.id = (c.card ->> 'ref')::bigint and f.version = 1)
    from jsonb_array_elements(catalog.past_cards('tool', p_as_of)) as c (card);
$$;
select t.act_as('alice');
select results_eq($$select * from pg_temp.past('2026-11-11 00:00+00')$$, $$values ('o__changed', 'First.', true)$$, 'the version of then');
select is_empty($$select * from pg_temp.past('2026-11-13 00:00+00')$$, 'what is offered now is no past card');
select t.act_as_superuser();
select t.make_rules('{"rules": [{"effect": "deny", "subject": "everyone", "tools": "o__changed"}]}');
select t.act_as('alice');
select is_empty($$select * from pg_temp.past('2026-11-11 00:00+00')$$, 'nor what the caller may not see now');
select t.act_as_superuser();
select t.make_rules('{}');
update catalog.item set status = 'quarantined' where name = 'changed';
select t.act_as('alice');
select is_empty($$select * from pg_temp.past('2026-11-11 00:00+00')$$, 'nor what is withheld now');

select * from finish();
rollback;
