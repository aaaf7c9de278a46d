begin;
select plan(4);

select t.make_origin('first'), t.make_origin('second'), t.make_principal('alice');
select t.make_tool('first', 'search', 'Search the web.'), t.make_tool('second', 'search', 'Search the web with this.');
select t.make_tool('first', 'mail', 'Send a mail.');
select search.put_model('test-2', 2, true);
select search.store_embeddings(
    'test-2', array_agg(c.kind), array_agg(c.text_hash), array_agg(case c.label when 'search' then '[1, 0]' else '[0, 1]' end)
)
from search.card as c
where c.kind = 'tool';
create temporary table card as select c.id, c.name from search.card as c where c.kind = 'tool';
grant select on card to public;

create function pg_temp.told(p_name text, p_goal text, p_vector ext.vector) returns text language sql as $$
    select selection.explain_duplicate(
        'tool', c.id, selection.find_candidates('tool', p_goal, p_vector, m), m, p_vector is not null
    ) #>> '{detail,of}'
    from card as c cross join selection.mode as m where c.name = p_name and m.name = 'balanced'
$$;
select t.read_as('alice');
select is(pg_temp.told('second__search', 'search the web', '[1, 0]'), 'first__search', 'the oldest');
select is(pg_temp.told('first__search', 'search the web', '[1, 0]'), null, 'which stands for itself');
select is(pg_temp.told('second__search', 'search the web', null), null, 'none without vectors');
select is(
    (select selection.explain_duplicate('tool', c.id, '{}', m, true) #>> '{detail,of}'
     from card as c cross join selection.mode as m where c.name = 'second__search' and m.name = 'balanced'),
    'first__search', 'also if the goal finds none of them'
);

select * from finish();
rollback;
