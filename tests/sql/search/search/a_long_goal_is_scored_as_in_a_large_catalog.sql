begin;
select plan(2);

select t.make_catalog();
select search.put_model('test-8', 8, true);
select t.embed_cards('tool', 'test-8');
delete from search.coefficient;
insert into search.coefficient (kind, profile, part, feature, weight)
values ('tool', 'test-8', 'score', 'intercept', -1), ('tool', 'test-8', 'large', 'intercept', 2);

create function pg_temp.odds(p_goal text)
returns numeric
language sql
as $$
    select distinct round(f.odds::numeric, 3)
    from search.search('tool', p_goal, t.unit_vector(8, 2), 5, 5, 0, 40, '{1, 1, 0}', 'learned') as f
$$;

select is(pg_temp.odds('current time'), -1.000, 'a short goal by the weights for few cards');
select is(pg_temp.odds('current time' || repeat(' here', 38)), 2.000, 'a long one by those for many');

select * from finish();
rollback;
