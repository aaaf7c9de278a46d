begin;
select plan(4);

select search.put_model('m', 2, true);
create or replace function search.embed_goal(p_goal text, p_is_name boolean default false) returns ext.vector language sql as $$
    select (case p_goal when 'it' then '[1,0,0.6,0.8]' when 'before' then '[0,1]' end)::ext.vector
$$;
select is(search.embed_in_context('it', 'before', 0)::text, '[1,0,0.6,0.8]', 'without a share, that of the goal, with its sentences');
select is(search.embed_in_context('it', null, 0)::text, '[1,0,0.6,0.8]', 'nothing was said before');
select is(search.embed_in_context('it', 'before', 0.5)::text, ext.l2_normalize('[1,1]'::ext.vector)::text, 'with a half, the mean of both');
select is(search.embed_in_context('?', 'before', 0.5)::text, null, 'without a model, none');

select * from finish();
rollback;
