begin;
select plan(4);

select t.make_catalog(), t.make_project('shop', 'alice'), t.make_principal('op', 'operator'), search.put_model('m', 2, true);
select t.make_library('shop', 'acme', '1.0', 'Sends a parcel by road.');
select t.act_as('op', 'qm_operator');
select api.load_notes(jsonb_build_array(t.note('a', 'Vacuum frees dead row versions.')), 'x');
create function pg_temp.told(p_vector ext.vector) returns text language sql as $$
    select string_agg(s.part || ' ' || s.name || ' ' || substring(s.text from '\d+'), ', ' order by s.name)
    from api.start_task('send a parcel', query_vector => p_vector) as s
    where s.part = 'left_out'
$$;
select t.act_as('alice', 'qm_user');
select is(pg_temp.told('[1,0]'), 'left_out note 1, left_out symbol 1, left_out tool 4', 'each part says how many of its texts wait');
select is(pg_temp.told(null), null, 'without a vector of the goal, nothing waits');
select t.act_as_superuser();
select t.embed_cards('tool', 'm'), t.embed_cards('symbol', 'm');
select t.act_as('alice', 'qm_user');
select is(pg_temp.told('[1,0]'), 'left_out note 1', 'what has its vectors is silent');
select t.act_as_superuser();
select t.embed_cards('passage', 'm'), t.embed_cards('question', 'm');
select t.act_as('alice', 'qm_user');
select is(pg_temp.told('[1,0]'), null, 'in the end all is');

select * from finish();
rollback;
