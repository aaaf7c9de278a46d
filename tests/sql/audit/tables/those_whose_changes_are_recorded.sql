begin;
select plan(3);

select ok(audit.tables() @> '{policy.principal,policy.api_key,catalog.origin}', 'tables of rights, and origins');
select is(array_position(audit.tables(), 'selection.receipt'), null, 'not what is written with every search');
create table public.noted (name text);
create constraint trigger noted after insert on public.noted deferrable initially deferred for each row execute function audit.record_change('name');
select ok(audit.tables() @> '{public.noted}', 'and any other with the trigger');

select * from finish();
rollback;
