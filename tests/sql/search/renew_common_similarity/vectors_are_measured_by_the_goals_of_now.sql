begin;
select plan(5);

create temporary table model as select search.put_model('m', 2, true) as id;
insert into search.common_goal (model, number, vector) values ('m', 1, '[0, 7]'), ('m', 2, '[3, 0]');
select t.make_kind('memo');
insert into search.embedding (model_id, kind, text_hash, vector)
select m.id, 'memo', sha256(v.vector::bytea), v.vector::ext.vector from model as m cross join (values ('[1,0]'), ('[0.6,0.8]')) as v (vector);
create temporary view measured as
select round(s.highest::numeric, 2) as highest, round(s.mean::numeric, 2) as mean, s.ctid as place from search.common_similarity as s where s.kind = 'memo' order by 1;
delete from search.common_goal as g where g.model = 'm' and g.number = 1;
select results_eq('select m.highest from measured as m', '{0.60,1.00}'::numeric[], 'a common goal that is gone is not near');
insert into search.common_goal (model, number, vector) values ('m', 4, '[0.6, 0.8]');
select results_eq('select m.highest from measured as m', '{1.00,1.00}'::numeric[], 'a new one is near to vectors that were there before');
update search.common_goal as g set vector = '[0, 5]' where g.model = 'm' and g.number = 4;
select results_eq('select m.highest, m.mean from measured as m', $$values (0.80, 0.70), (1.00, 0.50)$$, 'one that changes is measured again');
create temporary table before as select m.place from measured as m;
update search.common_goal as g set vector = g.vector;
select set_eq('select m.place from measured as m', 'select b.place from before as b', 'the same goals again measure nothing');
delete from search.common_goal as g where g.model = 'm';
select is_empty('table measured', 'without goals there is nothing to measure');

select * from finish();
rollback;
