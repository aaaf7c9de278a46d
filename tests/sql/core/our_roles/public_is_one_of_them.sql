begin;
select plan(2);

select ok('{public,qm_owner,qm_reader,qm_service}' <@ array_agg(r.name::text), 'our roles and public') from core.our_roles() as r;
select is_empty($$select r.name from core.our_roles() as r where r.name !~ '^(public|qm_)'$$, 'and no others');

select * from finish();
rollback;
