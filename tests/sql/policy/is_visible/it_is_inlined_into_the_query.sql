-- Were it not, its name would stand in the plan and it would run once a row.
begin;
select plan(1);

create function pg_temp.plan_of(p_query text) returns setof text language plpgsql as $$
begin
    return query execute 'explain (verbose) ' || p_query;
end
$$;
select is_empty(
    $$select * from pg_temp.plan_of($q$select * from search.card as c where policy.is_visible(c.rights_class, (select policy.visible_classes()))$q$) as p (line) where p.line like '%is_visible%'$$,
    'the predicate is not called'
);

select * from finish();
rollback;
