begin;
select plan(4);

update core.setting set value = '2' where name = 'exposure.limit';
select t.make_catalog(), t.make_principal('alice'), t.make_kind('memo'), t.make_card('memo', 1, 'a memo', 'a memo');
create function pg_temp.offer(variadic p_names text[]) returns jsonb language sql as $$
    select jsonb_agg(jsonb_build_object('name', c.name, 'ref', c.ref)) from search.card as c where c.name = any(p_names);
$$;
select t.read_as('alice');
select t.at('2026-01-01 00:00+00');
select selection.record_receipt('tool', 'g', 'fast', 's', pg_temp.offer('time__get_current_time', 'time__convert_time'), 1);
select t.at('2026-01-01 00:01+00');
select selection.record_receipt('tool', 'g', 'fast', 's', pg_temp.offer('tracker__create_ticket'), 1);
select selection.record_receipt('memo', 'g', 'fast', 's', pg_temp.offer('a memo'), 1);
select set_has($$select e.name from api.list_exposed('s') as e$$, $$values ('tracker__create_ticket')$$, 'the new one is there');
select is((select count(*) from api.list_exposed('s') as e), 2::bigint, 'an older one made room');
select is_empty($$select * from api.list_exposed('other')$$, 'another session has none');
select is((select count(*) from selection.exposure as e where e.kind = 'memo'), 1::bigint, 'a card of another kind takes no room of theirs');

select * from finish();
rollback;
