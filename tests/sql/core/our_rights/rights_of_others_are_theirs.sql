begin;
select plan(2);

create table core.zz_rights (one integer);
create role qm_test_zz_other;
grant select on core.zz_rights to qm_reader, qm_test_zz_other;
select ok(r.text ~ 'qm_reader: SELECT' and r.text !~ 'zz_other', 'only rights of our roles')
from core.our_rights() as r where r.oid = 'core.zz_rights'::regclass and r.part = 0;
grant update (one) on core.zz_rights to qm_user;
select is((select r.text from core.our_rights() as r where r.oid = 'core.zz_rights'::regclass and r.part = 1), 'qm_user: UPDATE', 'and those on a column');

select * from finish();
rollback;
