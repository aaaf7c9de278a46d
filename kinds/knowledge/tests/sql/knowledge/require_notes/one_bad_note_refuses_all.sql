begin;
select plan(5);

create function pg_temp.note(p_changes jsonb default '{}') returns jsonb language sql as $$
    select jsonb_build_object(
        'name', 'sql/joins', 'title', 'Joins', 'source', 'https://example.org', 'version', '1', 'verified', true, 'reviewed', '2026-01-01',
        'digest', repeat('ab', 32), 'passages', '[{"heading": "Inner", "text": "Rows that match."}]'::jsonb
    ) || p_changes;
$$;
select lives_ok($$select knowledge.require_notes(jsonb_build_array(pg_temp.note()))$$, 'a note');
select throws_ok($$select knowledge.require_notes(jsonb_build_array(pg_temp.note(), pg_temp.note()))$$, 'QM422', 'the note ''sql/joins'' is given twice', 'one that is given twice');
select throws_ok($$select knowledge.require_notes(jsonb_build_array(pg_temp.note(), pg_temp.note('{"name": "Bad"}')))$$, 'QM422', 'the note ''Bad'' cannot be stored', 'one with a bad name beside a good one');
select throws_ok($$select knowledge.require_notes(jsonb_build_array(pg_temp.note('{"passages": []}')))$$, 'QM422', null, 'one without passages');
select throws_ok($$select knowledge.require_notes('["text"]')$$, 'QM422', null, 'what is no object');

select * from finish();
rollback;
