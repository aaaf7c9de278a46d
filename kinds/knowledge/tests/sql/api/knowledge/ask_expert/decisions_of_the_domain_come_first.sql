begin;
select plan(4);

select t.make_principal('op', 'operator'), t.make_project('shop', 'alice');
select search.put_model('m', 4, true);
select t.act_as('op', 'qm_operator');
select api.load_notes(
    jsonb_build_array(
        t.note('databases/vacuum', 'Vacuum frees dead row versions for reuse in each table.'),
        t.note('security/hashing', 'Hash passwords slowly with argon2id and a salt.', 'security')
    ), 'a digest'
);
select t.act_as_superuser();
select t.make_decisions('shop', t.candidate('Vacuum each table after a bulk load.'), t.candidate('Hash passwords with argon2id.'));
-- Both decisions answer the question alike; each lies near the note of its domain.
select search.store_embeddings(
    'm', array_agg(c.kind), array_agg(c.text_hash),
    array_agg(case when c.embedding_text ilike '%vacuum%' then '[0.6,0.8,0,0]' else '[0.6,0,0.8,0]' end)
)
from search.card as c
where c.kind in ('passage', 'decision');
select t.act_as('alice', 'qm_user');
create function pg_temp.told(p_domain text) returns text[]
language sql as $$
    select array(select d ->> 'text' from jsonb_array_elements(a.decisions) as d order by 1)
    from api.ask_expert('Vacuum each table? Hash passwords?', p_domain, '[1,0,0,0]') as a;
$$;
select is(pg_temp.told(null), '{"Hash passwords with argon2id.","Vacuum each table after a bulk load."}', 'without a domain, every decision that fits is told');
select is(pg_temp.told('databases'), '{"Vacuum each table after a bulk load."}', 'with a domain, those that are about it');
select is(pg_temp.told('security'), '{"Hash passwords with argon2id."}', 'and no others');
select is(pg_temp.told('testing'), '{}', 'a domain without decisions has none');

select * from finish();
rollback;
