begin;
select plan(3);

create function pg_temp.fit_of(variadic p_probabilities real[]) returns numeric language sql as $$
    select round(selection.fit_of(array_agg((1, 1, 0, null, 0, null, null, null, 0, 1, p.probability, null, null, null, null)::selection.candidate))::numeric, 2)
    from unnest(p_probabilities) as p (probability);
$$;
select is(pg_temp.fit_of(0.3, 0.3, null, 0.3), 0.90, 'three siblings, one of which it is');
select is(pg_temp.fit_of(0.2, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1), 0.60, 'five count, so that a long list says nothing by its length');
select is(pg_temp.fit_of(null, null), null, 'nothing was learned');

select * from finish();
rollback;
