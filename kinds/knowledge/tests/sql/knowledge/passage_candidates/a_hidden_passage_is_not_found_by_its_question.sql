begin;
select plan(2);

select t.make_principal('op', 'operator'), t.make_principal('alice');
select search.put_model('m', 2, true);
select t.act_as('op', 'qm_operator');
select api.load_notes(jsonb_build_array(t.note('a', 'Vacuum frees dead rows.'), t.note('b', 'Hash passwords.', 'security')), 'a digest');
select t.act_as_superuser();
select search.store_embeddings('m', array_agg(c.kind), array_agg(c.text_hash), array_agg('[0.6,0.8]'::text))
from search.card as c where c.kind in ('passage', 'question');
-- With the owner's rights, as in a search.
create function pg_temp.found() returns text[] language sql security definer as $$
    select array_agg(t.name_of(c.card_id) order by c.card_id)
    from knowledge.passage_candidates(row('passage', 'vacuum', '{"[0.6,0.8]"}', 10, 10, 0, 40, '{}')::search.goal) as c
$$;
select t.read_as('alice');
select is(pg_temp.found(), '{a#1,b#1}', 'what rules allow is found');
select t.act_as_superuser();
select t.make_rules('{"rules": [{"effect": "deny", "subject": "principal:alice", "kinds": ["passage"], "names": ["b#*"]}]}');
select t.read_as('alice');
select is(pg_temp.found(), '{a#1}', 'the passage is hidden, though its question is not');

select * from finish();
rollback;
