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

create function pg_temp.reason_of(p_goal text, p_name text, p_vector ext.vector, p_top integer default null, p_budget integer default null) returns text language sql as $$
    select catalog.explain_absence('tool', p_name, p_goal, 'balanced', p_top, p_vector, null, p_budget, null, false) ->> 'reason'
$$;
select t.read_as('alice');
select is(pg_temp.reason_of('search the web', 'first__search', '[1, 0]'), 'offered', 'offered');
select is(pg_temp.reason_of('search the web', 'second__search', '[1, 0]'), 'duplicate', 'a duplicate');
select is(pg_temp.reason_of('search the web', 'first__mail', '[1, 0]', 1), 'below_cut', 'below the cut');
select is(pg_temp.reason_of('search the web', 'first__search', '[1, 0]', p_budget => 1), 'over_budget', 'over the budget');

select * from finish();
rollback;
