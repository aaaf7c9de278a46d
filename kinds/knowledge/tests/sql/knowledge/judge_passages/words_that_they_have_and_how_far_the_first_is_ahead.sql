begin;
select plan(6);

select t.make_principal('op', 'operator');
select t.act_as('op', 'qm_operator');
select api.load_notes(jsonb_build_array(t.note('a', 'Vacuum frees dead rows.'), t.note('b', 'An index speeds up reading.')), 'a digest');
select t.act_as_superuser();
create function pg_temp.judged(p_question text, p_note text, p_part text) returns numeric language sql as $$
    select (
        knowledge.judge_passages(
            p_question, array(select p.id from knowledge.passage as p inner join knowledge.note as n on n.id = p.note_id where n.name = p_note), null, null
        ) ->> p_part
    )::numeric
$$;
select is(pg_temp.judged('vacuum dead rows', 'a', 'covered'), 1::numeric, 'the passage has all words');
select is(pg_temp.judged('vacuum dead rows', 'b', 'covered'), 0::numeric, 'another one has none');
select is(pg_temp.judged('vacuum zebras', 'a', 'unknown'), 0.5, 'no passage has one of two words');
select cmp_ok(pg_temp.judged('vacuum dead rows', 'a', 'confidence'), '>', pg_temp.judged('vacuum dead rows', 'b', 'confidence'), 'the first is likelier to answer');

update core.setting set value = jsonb_set(value, '{words, ahead}', '3') where name = 'knowledge.confidence';
select cmp_ok(
    (knowledge.judge_passages('vacuum', '{}', null, '{0.9, 0.8, 0.7, 0.2}') ->> 'confidence')::numeric, '>',
    (knowledge.judge_passages('vacuum', '{}', null, '{0.9, 0.8, 0.7, 0.6}') ->> 'confidence')::numeric, 'so is one that is far ahead of the fourth'
);
select is(
    knowledge.judge_passages('vacuum', '{}', null, '{0.9, 0.8, 0.7}') -> 'ahead', knowledge.judge_passages('vacuum', '{}', null, null) -> 'ahead',
    'without a fourth, nobody knows how far the first is ahead'
);

select * from finish();
rollback;
