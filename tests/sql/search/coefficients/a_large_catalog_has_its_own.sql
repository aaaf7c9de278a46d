begin;
select plan(6);
delete from search.coefficient;
insert into search.coefficient (kind, profile, part, feature, weight)
values ('tool', 'm', 'score', 'dense', 4), ('tool', 'm', 'score', 'fuzzy', 2), ('tool', 'm', 'large', 'dense', 1), ('tool', 'small', 'score', 'dense', 4);

create function pg_temp.weight(p_cards integer, p_feature text, p_profile text default 'm')
returns numeric
language plpgsql
as $$
begin
    update search.kind set cards = p_cards where name = 'tool';
    return (select round(c.score[1 + array_position(c.features, p_feature)]::numeric, 3) from search.coefficients('tool', array[p_profile]) as c);
end
$$;

select is(pg_temp.weight(0, 'dense'), 4.000, 'none yet');
select is(pg_temp.weight(200, 'dense'), 4.000, 'a small catalog');
select is(pg_temp.weight(894, 'dense'), 2.500, 'the geometric mean of 200 and 4,000: half of each');
select is(pg_temp.weight(100000, 'dense'), 1.000, 'a large one');
select is(pg_temp.weight(4000, 'fuzzy'), 0.000, 'what is not listed weighs nothing');
select is(pg_temp.weight(4000, 'dense', 'small'), 4.000, 'a profile without weights for large catalogs has the same everywhere');

select * from finish();
rollback;
