begin;
select plan(6);
delete from search.coefficient;
insert into search.coefficient (kind, profile, part, feature, weight)
values ('tool', 'm', 'score', 'dense', 4), ('tool', 'm', 'large', 'dense', 1), ('tool', 'small', 'score', 'dense', 4);

create function pg_temp.weight(p_cards integer, p_words integer, p_profile text default 'm')
returns numeric
language plpgsql
as $$
begin
    update search.kind set cards = p_cards where name = 'tool';
    return (
        select round(c.score[1 + array_position(c.features, 'dense')]::numeric, 3)
        from search.coefficients('tool', array[p_profile], repeat(' word', p_words)) as c
    );
end
$$;

select is(pg_temp.weight(0, 28), 4.000, 'a goal of 28 words is short');
select cmp_ok(pg_temp.weight(0, 34), '<', 3.000, 'words count more in a longer goal');
select is(pg_temp.weight(0, 40), 1.000, 'a goal of 40 words is long');
select is(pg_temp.weight(4000, 3), 1.000, 'in a large catalog, short goals have the same weights');
select is(pg_temp.weight(0, 100, 'small'), 4.000, 'a profile without weights for large catalogs has the same for all goals');
select is((select c.score[1 + array_position(c.features, 'dense')] from search.coefficients('tool', '{m}', ' ') as c), 4::real, 'a goal without words is short');

select * from finish();
rollback;
