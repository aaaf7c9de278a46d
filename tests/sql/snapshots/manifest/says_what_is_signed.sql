begin;
select plan(2);

select t.make_catalog(), t.make_principal('op', 'operator'), t.make_principal('root', 'admin');
select t.at('2026-01-01 10:00+00');
select snapshots.put_snapshot('monday', 'a note', policy.find_principal('root'));
select is(
    (select s.manifest::jsonb - 'content_hash' from snapshots.snapshot as s),
    (
        select jsonb_build_object(
            'format', 2, 'name', 'monday', 'created_at', '2026-01-01T10:00:00.000000Z', 'rule_version', s.rule_version_id,
            'origins', s.origins, 'items', s.items
        )
        from snapshots.snapshot as s
    ),
    'name, moment in UTC, rules and counts'
);
select is((select s.manifest::jsonb ->> 'content_hash' from snapshots.snapshot as s), (select encode(s.content_hash, 'hex') from snapshots.snapshot as s), 'and what the tools are together');

select * from finish();
rollback;
