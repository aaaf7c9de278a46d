begin;
select plan(6);

select t.make_principal('op', 'operator');
set constraints all immediate;
select t.act_as('op', 'qm_user');
select throws_ok($$select service.sign_audit(1, sha256('x'), sha256('x'), sha256('a') || sha256('b'))$$, '42501', null, 'a user may not');
select t.act_as('op', 'qm_operator');
create temporary table head as select h.* from service.audit_head() as h;
select throws_ok($$select service.sign_audit(h.record_id, sha256('x'), sha256('x'), sha256('a') || sha256('b')) from head as h$$, 'QM409', null, 'another hash');
select lives_ok($$select service.sign_audit(h.record_id, h.hash, sha256('key'), sha256('a') || sha256('b')) from head as h$$, 'the head');
create temporary table next_head as select h.* from service.audit_head() as h;
select is(n.record_id, h.record_id + 1, 'a new key is itself recorded') from next_head as n, head as h;
select service.sign_audit(n.record_id, n.hash, sha256('key'), sha256('a') || sha256('b')) from next_head as n;
select is((select h.is_signed from service.audit_head() as h), true, 'a known one is not: the head is signed');
select t.act_as_superuser();
select is_empty('select * from audit.find_faults()', 'the chain is whole');

select * from finish();
rollback;
