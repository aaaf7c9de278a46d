begin;
select plan(2);

select t.make_project('shop', 'alice'), t.make_project('blog', 'alice');
select t.make_library('shop', 'acme');
create function pg_temp.part(p_project text) returns jsonb language sql as $$
    select knowledge.task_symbols(row('send a parcel', 'send a parcel', p.id, p.name, '{}', 4, 0, null, 's')::selection.task)
    from projects.project as p where p.name = p_project
$$;
select t.read_as('alice');
select results_eq(
    $$select s ->> 'name', s ->> 'text', s ->> 'receipt' is not null from jsonb_array_elements(pg_temp.part('shop')) as s$$,
    $$values ('acme.send', 'send(parcel)', true)$$, 'an object that it can import'
);
select is(pg_temp.part('blog'), null, 'another project cannot');

select * from finish();
rollback;
