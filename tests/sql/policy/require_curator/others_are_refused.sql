begin;
select plan(3);

select t.make_principal('alice'), t.make_principal('cora');
update policy.principal set is_curator = true where name = 'cora';
create function pg_temp.refused() returns text language plpgsql security definer as $$
begin
    perform policy.require_curator();
    return null;
exception when sqlstate 'QM403' then
    return sqlerrm;
end
$$;
select t.act_as('alice');
select is(pg_temp.refused(), 'alice is not a curator of lookup tables', 'a user');
select t.act_as(null);
select isnt(pg_temp.refused(), null, 'nobody');
select t.act_as('cora');
select is(pg_temp.refused(), null, 'who was appointed is not');

select * from finish();
rollback;
