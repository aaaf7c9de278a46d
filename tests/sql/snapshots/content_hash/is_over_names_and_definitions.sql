begin;
select plan(3);

select t.make_catalog(), t.make_principal('op', 'operator'), t.make_principal('root', 'admin');
select snapshots.put_snapshot('monday', '', policy.find_principal('root')) as monday;
select is(
    (select snapshots.content_hash(s.id) from snapshots.snapshot as s),
    (
        select sha256(convert_to(string_agg(x.callable_name || ' ' || encode(sha256(convert_to(v.definition::text, 'UTF8')), 'hex'), E'\n' order by x.callable_name collate "C"), 'UTF8'))
        from catalog.tool as x
        inner join catalog.tool_version as v on v.tool_id = x.id and v.valid_to is null
        where x.is_live
    ),
    'a line a tool, by name'
);
select is((select s.content_hash from snapshots.snapshot as s), (select snapshots.content_hash(s.id) from snapshots.snapshot as s), 'and it is what is kept');
delete from snapshots.member as m where m.tool_id = (select min(x.tool_id) from snapshots.member as x);
select isnt((select s.content_hash from snapshots.snapshot as s), (select snapshots.content_hash(s.id) from snapshots.snapshot as s), 'one tool less is another hash');

select * from finish();
rollback;
