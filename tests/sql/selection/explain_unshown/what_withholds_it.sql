begin;
select plan(8);

select t.make_origin('first'), t.make_origin('second'), t.make_principal('alice');
select t.make_tool('first', 'search', 'Search the web.'), t.make_tool('second', 'look', 'Search the web with this.');
select t.make_tool('first', 'mail', 'Send a mail.');
select search.put_model('test-2', 2, true);
select search.store_embeddings(
    'test-2', array_agg(c.kind), array_agg(c.text_hash), array_agg(case c.label when 'search' then '[1, 0]' when 'look' then '[0.9, 0.436]' else '[0, 1]' end)
)
from search.card as c
where c.kind = 'tool';
create temporary table card as select c.id, c.name from search.card as c where c.kind = 'tool';
grant select on card to public;

create function pg_temp.candidate(p_name text, p_value real, p_tokens integer, p_probability real) returns selection.candidate language sql as $$
    select jsonb_populate_record(null::selection.candidate, jsonb_build_object(
        'card_id', c.id, 'value', p_value, 'tokens', p_tokens, 'probability', p_probability, 'kind', 'tool', 'name', p_name))
    from card as c where c.name = p_name
$$;
create function pg_temp.told(p_name text, p_lambda real, p_top integer, p_budget integer default null, p_least real default 0) returns jsonb language plpgsql as $$
declare
    v_mode selection.mode;
    v_candidates constant selection.candidate[] := array[
        pg_temp.candidate('first__search', 0.9, 100, 0.9), pg_temp.candidate('second__look', 0.8, 300, 0.8), pg_temp.candidate('first__mail', 0.7, 50, 0.01)
    ];
begin
    select m.* into v_mode from selection.mode as m where m.name = 'balanced';
    v_mode.lambda := p_lambda;
    return selection.explain_unshown(
        v_candidates,
        array(
            select d.card_id
            from selection.diversify(array(select c from unnest(v_candidates) as c where c.probability >= p_least), p_lambda, v_mode.top, p_top, p_budget) as d
            order by d.rank
        ),
        (select c.id from card as c where c.name = p_name), v_mode, p_top, p_budget, p_least
    );
end
$$;
select t.read_as('alice');
select results_eq(
    $$select x ->> 'reason', x #>> '{detail,with}', round((x #>> '{detail,similarity}')::numeric, 2) from pg_temp.told('second__look', 0.5, 2) as x$$,
    $$values ('redundant', 'first__search', 0.90)$$, 'similar to a shown card'
);
select results_eq(
    $$select x ->> 'reason', round((x #>> '{detail,by}')::numeric, 2), x #>> '{detail,place}' from pg_temp.told('first__mail', 0, 2) as x$$,
    $$values ('below_cut', 0.10, '3')$$, 'by how much'
);
select results_eq(
    $$select x ->> 'reason', x #>> '{detail,rule}', round((x #>> '{detail,by}')::numeric, 2) from pg_temp.told('first__mail', 0, 3, p_least => 0.05) as x$$,
    $$values ('below_cut', 'unlikely', 0.04)$$, 'too unlikely'
);
select results_eq(
    $$select x ->> 'reason', (x #>> '{detail,left}')::integer from pg_temp.told('second__look', 0, 3, 200) as x$$, $$values ('over_budget', 50)$$, 'too large'
);
select is(pg_temp.told('first__mail', 0, 1, 120) ->> 'reason', 'below_cut', 'neither would it be shown without a budget');
select is(pg_temp.told('second__look', 0.5, 2, 150) ->> 'reason', 'redundant', 'nor the similar one');
select is(pg_temp.told('first__mail', 0, 3), null, 'what is shown');
select results_eq(
    $$select x ->> 'reason', (x #>> '{detail,by}')::real, x #>> '{detail,place}'
      from selection.explain_unshown(
          array[pg_temp.candidate('first__search', 0.8, 100, 0.8), pg_temp.candidate('first__mail', 0.8, 100, 0.8)],
          array(select c.id from card as c where c.name = 'first__search'),
          (select c.id from card as c where c.name = 'first__mail'),
          (select m from selection.mode as m where m.name = 'balanced'), 1, null, null
      ) as x$$,
    $$values ('below_cut', 0::real, '2')$$, 'as valuable as the last shown card, and not similar to any'
);

select * from finish();
rollback;
