begin;
select plan(4);

select t.make_kind('memo'), t.make_kind('note');
create function pg_temp.counted() returns text language sql as $$
    select string_agg(format('%s %s', k.name, coalesce(v.value, 0)), ', ' order by k.name)
    from search.kind as k left join core.version as v on v.name = 'texts of ' || k.name where k.name in ('memo', 'note')
$$;
select search.put_cards('memo', '[{"ref": 1, "name": "a", "fields": ["a"]}, {"ref": 2, "name": "b", "fields": ["b"]}]'), t.make_card('note', 1, 'a', 'a');
select is(pg_temp.counted(), 'memo 1, note 1', 'however many cards it adds');
update search.card as c set text_hash = sha256(c.name::bytea || 'x') where c.kind in ('memo', 'note');
select is(pg_temp.counted(), 'memo 2, note 2', 'or changes');
update search.card as c set brief = 'changed' where c.kind = 'memo';
select is(pg_temp.counted(), 'memo 2, note 2', 'a change that needs no new vector is not counted');
update search.card as c set kind = 'note', ref = 3 where c.kind = 'memo' and c.ref = 2;
select is(pg_temp.counted(), 'memo 2, note 3', 'a card of another kind is a new text there');

select * from finish();
rollback;
