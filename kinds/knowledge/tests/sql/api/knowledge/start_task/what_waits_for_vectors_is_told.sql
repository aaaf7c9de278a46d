begin;
select plan(8);

select t.make_catalog(), t.make_project('shop', 'alice'), t.make_principal('bob'), t.make_principal('op', 'operator'), search.put_model('m', 2, true);
select t.make_library('shop', 'acme', '1.0', 'Sends a parcel by road.');
update core.setting set value = '60000' where name = 'task.time_ms';
select t.act_as('op', 'qm_operator');
select api.load_notes(jsonb_build_array(t.note('a', 'Vacuum frees dead row versions.')), 'x');
create function pg_temp.told(p_vector ext.vector) returns text language sql as $$
    select string_agg(s.name || ': ' || s.text, '; ' order by s.name)
    from api.start_task('send a parcel', query_vector => p_vector) as s
    where s.part = 'left_out'
$$;
create function pg_temp.told_after_a_claim(p_vector ext.vector, p_principal text default 'alice') returns text language plpgsql as $$
begin
    perform t.act_as_superuser();
    perform from search.claim_unembedded('m', 1);
    perform t.act_as(p_principal, 'qm_user');
    return pg_temp.told(p_vector);
end
$$;
select t.act_as('alice', 'qm_user');
select is(pg_temp.told('[1,0]'), null, 'what nobody has looked at is not counted');
select is(
    pg_temp.told_after_a_claim('[1,0]'),
    string_agg(format('%1$s: Some %1$ss have no vector yet, so they are found by words only. Ask again later.', k.part), '; ' order by k.part),
    'each part says that some of its texts wait'
)
from unnest(array['tool', 'note', 'symbol']) as k (part);
select is(pg_temp.told(null), null, 'without a vector of the goal, nothing waits');
select t.act_as_superuser();
select t.embed_cards('tool', 'm'), t.embed_cards('symbol', 'm'), t.embed_cards('passage', 'm');
select matches(pg_temp.told_after_a_claim('[1,0]'), '^note: Some notes [^:]*$', 'what has its vectors is silent; notes wait for their questions');
select t.act_as_superuser();
select t.embed_cards('question', 'm');
select is(pg_temp.told_after_a_claim('[1,0]'), null, 'in the end all is');
select t.act_as_superuser();
select t.make_library('shop', 'other', '1.0', 'Sends a letter by air.');
select t.act_as('alice', 'qm_user');
select is(pg_temp.told('[1,0]'), null, 'a new text makes its kind unknown');
select matches(pg_temp.told_after_a_claim('[1,0]'), 'symbol: Some symbols', 'a member is told that it waits');
select doesnt_match(pg_temp.told_after_a_claim('[1,0]', 'bob'), 'no vector', 'a stranger is told nothing of what he may not see');

select * from finish();
rollback;
