begin;
select plan(7);

select t.make_project('shop', 'alice'), t.make_principal('bob');
select search.put_model('m', 4, true);
select knowledge.put_notes(null, jsonb_build_array(t.note('a', 'One.', 'security')));
select knowledge.put_notes(p.id, jsonb_build_array(t.note('b', 'Two.'))) from projects.project as p;
create function pg_temp.waiting(p_domain text default null) returns text language sql as $$
    select string_agg(n.name, ' ' order by n.name)
    from knowledge.waiting_passages(p_domain) as w
    inner join knowledge.passage as p on p.id = w.passage_id
    inner join knowledge.note as n on n.id = p.note_id
$$;
select t.read_as('alice');
select is(pg_temp.waiting(), 'a b', 'all wait');
select is(pg_temp.waiting('security'), 'a', 'or those of a domain');
select is((select count(*) from knowledge.waiting_passages(p_most => 1)), 1::bigint, 'who needs no exact number stops early');
select t.read_as('bob');
select is(pg_temp.waiting(), 'a', 'others see only those for everybody');
select t.act_as_superuser();
select t.embed_cards('passage', 'm');
select t.read_as('alice');
select is(pg_temp.waiting(), 'a b', 'their questions still wait');
select t.act_as_superuser();
select t.embed_cards('question', 'm');
select t.read_as('alice');
select is(pg_temp.waiting(), null, 'none waits');
select t.read_as(null);
select throws_ok($$select knowledge.waiting_passages()$$, 'QM403', null, 'nobody asks without a principal');

select * from finish();
rollback;
