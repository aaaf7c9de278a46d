begin;
select plan(11);

select search.put_model('test-4', 4, true), search.put_model('other', 4, false), t.make_kind('first'), t.make_kind('second');
create function pg_temp.put(p_kind text, p_text text) returns integer language sql as $$
    select search.put_cards(p_kind, jsonb_build_array(jsonb_build_object('ref', 1, 'name', p_text, 'fields', jsonb_build_array(p_text), 'embedding_text', p_text)))
$$;
create function pg_temp.known() returns text language sql as $$
    select string_agg(k.name, ' ' order by k.name) from search.kind as k where k.name in ('first', 'second') and search.is_embedded(k.name)
$$;
select pg_temp.put('first', 'one'), pg_temp.put('second', 'two');
select is(pg_temp.known(), null, 'nothing is known before somebody looks');
select t.embed_cards('first', 'test-4');
select count(*) from search.claim_unembedded('test-4', 1);
select is(pg_temp.known(), 'first', 'a kind that waits for nothing is known');
select is(search.count_unembedded('first'), 0::bigint, 'and is not counted');
select is(search.count_unembedded('second'), 1::bigint, 'others are counted');
select t.embed_cards('second', 'test-4');
select count(*) from search.claim_unembedded('test-4', 1);
select is(pg_temp.known(), 'first second', 'each is known in its time');
select pg_temp.put('first', 'three');
select is(pg_temp.known(), null, 'a change of cards makes it unknown');
select is(search.count_unembedded('first'), 1::bigint, 'so the new text is counted');
select t.embed_cards('first', 'test-4'), t.embed_cards('first', 'other'), t.embed_cards('second', 'other');
select count(*) from search.claim_unembedded('other', 1);
select is(pg_temp.known(), null, 'what a model beside has says nothing about the active one');
select count(*) from search.claim_unembedded('test-4', 1);
select is(pg_temp.known(), 'first second', 'the active one does');
select api.activate_model('other', true);
select is(pg_temp.known(), null, 'another active model makes it unknown');

select t.make_project('shop', 'alice'), t.make_project_card('first', 2, 'inside', (select p.id from projects.project as p), 'harbour');
select t.embed_cards('second', 'other'), t.make_principal('op', 'operator');
select count(*) from search.claim_unembedded('other', 1);
select is(pg_temp.known(), 'second', 'a text that the claiming login may not read keeps its kind waiting');

select * from finish();
rollback;
