begin;
select plan(1);

create temporary table made as select audit.append('insert', 'a.table') as id;
select is(audit.record_hash(r), sha256(r.previous_hash || convert_to(audit.canonical_text(r), 'UTF8')), 'as anybody can compute it') from audit.record as r inner join made as m on m.id = r.id;

select * from finish();
rollback;
