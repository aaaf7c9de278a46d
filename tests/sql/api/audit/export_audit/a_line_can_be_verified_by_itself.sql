begin;
select plan(4);

select t.make_principal('boss', 'admin'), t.make_principal('op', 'operator');
set constraints all immediate;
select t.act_as('op', 'qm_operator');
select throws_ok('select * from api.export_audit()', '42501', null, 'an operator may not');
select t.act_as('boss', 'qm_admin');
create temporary table lines as select e.id, e.line from api.export_audit() as e;
select is((select array_agg(l.id order by l.id) from lines as l), (select array_agg(r.id order by r.id) from audit.record as r), 'every record');
select is_empty(
    $$select l.id from lines as l
    where decode(l.line::jsonb ->> 'hash', 'hex') <> sha256(
        decode(l.line::jsonb ->> 'previous_hash', 'hex') || convert_to(left(split_part(l.line, '"record": ', 2) || coalesce(substr(l.line, length(split_part(l.line, '"record": ', 1) || '"record": ' || split_part(l.line, '"record": ', 2)) + 1), ''), -1), 'UTF8')
    )$$, 'by its own text'
);
select is((select count(*) from api.export_audit((select max(l.id) - 1 from lines as l), 10) as e), 1::bigint, 'from where one was');

select * from finish();
rollback;
