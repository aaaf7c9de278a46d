begin;
select plan(3);

create function pg_temp.caught(out code text, out slug text, out hint text) language plpgsql as $$
begin
    perform core.fail('goal_empty', 'nothing');
exception when others then
    get stacked diagnostics code = returned_sqlstate, slug = constraint_name, hint = pg_exception_hint;
end
$$;
select is(c.code, 'QM422', 'the code is QM and the status') from pg_temp.caught() as c;
select is(c.slug, 'goal_empty', 'the slug is the constraint') from pg_temp.caught() as c;
select is(c.hint, e.next_step, 'the hint is the next step of the registry')
from pg_temp.caught() as c
inner join core.error_code as e on e.slug = 'goal_empty';
select * from finish();
rollback;
