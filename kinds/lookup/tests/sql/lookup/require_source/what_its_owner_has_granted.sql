begin;
select plan(7);

create table public.herb (id integer, "The Name" text, secret text, kept text);
create view public.herbs as select h.id, h."The Name" from public.herb as h;
grant select (id, "The Name", kept), trigger on public.herb to qm_owner;
grant select, trigger on public.herbs to qm_owner;
create function pg_temp.required(p_relation text, p_column text, p_active_column text default null, p_follows boolean default false) returns text language sql as $$
    select lookup.require_source(p_relation, array['id', p_column], p_active_column, p_follows)
$$;
grant usage on schema public to qm_owner;
set local role qm_owner;
select is(pg_temp.required('Herb', 'The Name', p_follows => true), 'public.herb', 'a table that may be read and followed');
select throws_ok($$select pg_temp.required('a; drop table b', 'name')$$, 'QM422', 'there is no table a; drop table b', 'a text that is no name');
select throws_ok($$select pg_temp.required('policy.api_key', 'id')$$, 'QM422', 'there is no table policy.api_key', 'a table of Quartermaster');
select throws_ok($$select pg_temp.required('herb', 'name')$$, 'QM422', 'the table public.herb has no column name', 'a column that is not there');
select throws_ok($$select pg_temp.required('herb', 'secret')$$, 'QM422', 'qm_owner may not read the table public.herb', 'a column that was not granted');
select throws_ok($$select pg_temp.required('herbs', 'The Name', p_follows => true)$$, 'QM422', 'public.herbs cannot have triggers that report changes', 'a view that should be followed');
select throws_ok($$select pg_temp.required('herb', 'The Name', 'kept')$$, 'QM422', 'the column kept of public.herb is not boolean', 'a text that should say what is active');

select * from finish();
rollback;
