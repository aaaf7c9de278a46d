begin;
select plan(7);

select t.make_project('shop', 'alice');
select t.make_library('shop', 'parcels', '2.5.1');
select t.at('2026-02-01 12:00 UTC'), t.act_as('alice', 'qm_user');
select api.put_notes(
    jsonb_build_array(
        t.note('ledger', 'Our ledger is vacuumed at noon.') || '{"cites": ["src/ledger.py"]}',
        t.note('parcels', 'Our parcels are sent by the library.') || '{"cites": ["parcels 2.5", "unknown 1.0"]}',
        t.note('general', 'Our tables have short names.')
    )
);
create function pg_temp.stale() returns text[]
language sql as $$select array(select n.name from api.list_notes() as n where n.stale order by 1)$$;
select is(pg_temp.stale(), '{}', 'what has not changed is fresh');

select t.act_as_superuser();
insert into quality.file_version (project_id, path, blob_hash, language, seen_at)
select p.id, 'src/ledger.py', repeat(v.digit, 40), 'python', v.seen_at::timestamptz
from projects.project as p, (values ('1', '2025-12-30 UTC'), ('2', '2026-01-20 UTC')) as v (digit, seen_at);
select t.act_as('alice', 'qm_user');
select is(pg_temp.stale(), '{}', 'a file that changed before the review');
select t.act_as_superuser();
insert into quality.file_version (project_id, path, blob_hash, language, seen_at)
select p.id, 'src/ledger.py', repeat('3', 40), 'python', '2026-01-25 UTC' from projects.project as p;
select t.act_as('alice', 'qm_user');
select is(pg_temp.stale(), '{ledger}', 'a file that changed after the review makes its notes stale');
select is(
    (select a.passages -> 0 ->> 'cites' from api.ask_expert('When is our ledger vacuumed, at noon?') as a), '["src/ledger.py"]',
    'an answer says what its note cites'
);
select is(
    (select a.passages -> 0 ->> 'stale' from api.ask_expert('When is our ledger vacuumed, at noon?') as a), 'true', 'the answer says so'
);

select t.act_as_superuser();
update knowledge.distribution set version = '2.50.0' where name = 'parcels';
select t.act_as('alice', 'qm_user');
select is(pg_temp.stale(), '{ledger,parcels}', 'so does another version of a library');
select throws_ok(
    $$select api.put_notes(jsonb_build_array(t.note('odd', 'Odd.') || '{"cites": "src/ledger.py"}'))$$, 'QM422', null, 'what is cited is a list'
);

select * from finish();
rollback;
