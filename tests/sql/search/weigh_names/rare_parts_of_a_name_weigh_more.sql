begin;
select plan(5);

select search.put_kind('fruit', 'made for a test', p_index_type => 'names');
create function pg_temp.put(p_ref bigint, p_name text, p_origin text) returns integer language sql as $$
    select search.put_cards('fruit', jsonb_build_array(jsonb_build_object('ref', p_ref, 'name', p_name, 'label', p_name, 'origin', p_origin)))
$$;
create function pg_temp.length(p_ref bigint) returns numeric language sql as $$
    select round(l.length::numeric, 3) from search.lexical as l where l.kind = 'fruit' and l.ref = p_ref
$$;
select pg_temp.put(1, 'x', 'one'), pg_temp.put(2, 'x', 'one'), pg_temp.put(3, 'y', 'one'), pg_temp.put(4, 'x', 'two');
create temporary table cards as select array_agg(c.id) as ids from search.card as c where c.kind = 'fruit';
delete from search.name_posting as p using search.term as x where x.id = p.term_id and x.kind = 'fruit';
update search.lexical as l set length = 0, weights = null where l.kind = 'fruit';
select search.weigh_names('fruit', c.ids) from cards as c;
-- Three lexemes each: two trigrams and a word.
select is(pg_temp.length(1), round((3 * ln(1 + 3 / 2.0))::numeric, 3), 'two of three names of its origin have each of its lexemes');
select is(pg_temp.length(3), round((3 * ln(1 + 3 / 1.0))::numeric, 3), 'one has those of the rare name');
select is(pg_temp.length(4), round((3 * ln(1 + 1 / 1.0))::numeric, 3), 'another origin is a corpus of its own');
select results_eq(
    $$select x.lexeme, sum(cardinality(p.places)) from search.name_posting as p inner join search.term as x on x.id = p.term_id where x.kind = 'fruit' and x.lexeme like '%=%' group by 1 order by 1$$,
    $$values ('one=x', 2::bigint), ('one=y', 1), ('two=x', 1)$$, 'each lexeme lists its cards'
);
select is_empty($$select from search.lexical as l where l.kind = 'fruit' and l.weights is null$$, 'each card has a vector of its lexemes');

select * from finish();
rollback;
