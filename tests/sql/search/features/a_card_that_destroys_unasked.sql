begin;
select plan(4);

select t.make_kind('memo');
select search.put_cards('memo', '[
    {"ref": 1, "name": "delete note", "fields": ["delete note"], "destroys": "delet"},
    {"ref": 2, "name": "read note", "fields": ["read note"]}
]');
select search.put_model('m', 2, true);
insert into search.destroying_goal (model, weights, intercept) values ('m', '[8, 0]', -4);
create function pg_temp.unasked(p_goal text, p_vector ext.vector) returns real[] language sql as $$
    select array_agg(round(f.features[array_position(search.feature_names('memo'), 'destroys_unasked')]::numeric, 2) order by c.ref)::real[]
    from search.features('memo', p_goal, p_vector, array(select c.id from search.card as c where c.kind = 'memo')) as f
    inner join search.card as c on c.id = f.card_id;
$$;
select is(pg_temp.unasked('show the note', '[0, 1]'), '{0.98,0}'::real[], 'a goal that destroys nothing speaks against the card that destroys');
select is(pg_temp.unasked('the note must go', '[1, 0]'), '{0.02,0}'::real[], 'one that destroys does not');
select is(pg_temp.unasked('please delete the note', '[0, 1]'), '{0,0}'::real[], 'nor one that says the word');
select is(pg_temp.unasked('show the note', null), '{0,0}'::real[], 'without a vector nothing is known');

select * from finish();
rollback;
