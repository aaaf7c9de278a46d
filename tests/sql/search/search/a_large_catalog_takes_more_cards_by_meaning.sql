begin;
select plan(4);

select t.make_catalog();
select search.put_model('test-8', 8, true);
select t.embed_cards('tool', 'test-8');

create function pg_temp.found(p_cards integer, p_vector ext.vector, p_dense integer default 2)
returns text
language plpgsql
as $$
begin
    update search.kind set cards = p_cards where name = 'tool';
    return (
        select concat_ws(' ', count(*) filter (where 'lexical' = any(s.sources)), 'by words,', count(*) filter (where 'dense' = any(s.sources)), 'by meaning')
        from search.search('tool', 'time in a timezone', p_vector, 2, p_dense, 0, 40, '{1, 1, 0}') as s
    );
end
$$;

select is(pg_temp.found(200, t.unit_vector(8, 2)), '2 by words, 2 by meaning', 'a small catalog: as many as the mode says');
select is(pg_temp.found(4000, t.unit_vector(8, 2)), '1 by words, 4 by meaning', 'a large one: half by words, twice as many by meaning');
select is(pg_temp.found(4000, null), '2 by words, 0 by meaning', 'without a vector, as many by words as the mode says');
select is(pg_temp.found(4000, t.unit_vector(8, 2), 0), '2 by words, 0 by meaning', 'and so in a mode without the search by meaning');

select * from finish();
rollback;
