begin;
select plan(4);

create temporary table model as select search.put_model('m', 2, true) as id, search.put_model('bare', 2, false) as bare;
insert into search.common_goal (model, number, vector) values ('m', 1, '[0, 1]'), ('m', 2, '[1, 0]');
select t.make_kind('memo');
create temporary view measured as
select round(s.highest::numeric, 2) as highest, round(s.mean::numeric, 2) as mean from search.common_similarity as s where s.kind = 'memo' order by 1;
insert into search.embedding (model_id, kind, text_hash, vector)
select m.id, 'memo', sha256(v.vector::bytea), v.vector::ext.vector from model as m cross join (values ('[1,0]'), ('[0.6,0.8]')) as v (vector);
select results_eq('table measured', $$values (0.80, 0.70), (1.00, 0.50)$$, 'each new vector');
update search.embedding as e set vector = '[0, 1]' where e.kind = 'memo' and e.text_hash = sha256('[0.6,0.8]');
select results_eq('table measured', $$values (1.00, 0.50), (1.00, 0.50)$$, 'and one that changes');
insert into search.embedding (model_id, kind, text_hash, vector) select m.bare, 'memo', sha256('x'), '[1, 0]' from model as m;
select is((select count(*) from measured), 2::bigint, 'not one of a model without common goals');
delete from search.embedding as e where e.kind = 'memo' and e.text_hash = sha256('[1,0]');
select is((select count(*) from measured), 1::bigint, 'a vector that is gone leaves nothing behind');

select * from finish();
rollback;
