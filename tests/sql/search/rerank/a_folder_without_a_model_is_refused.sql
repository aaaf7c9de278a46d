begin;
select plan(2);

select t.make_principal('alice');
select case
    when core.has_capability('plpython3u')
        then throws_like($$select search.rerank('a goal', '{a text}', '/nowhere')$$, '%The model folder /nowhere has no model.onnx.', 'the folder is named')
    else throws_ok($$select search.rerank('a goal', '{a text}', '/nowhere')$$, '42883', null, 'without PL/Python, there is no such function')
end as result;
select t.read_as('alice', 'qm_admin');
select throws_ok($$select search.rerank('a goal', '{a text}', '/nowhere')$$, '42501', null, 'nobody but the owner has a folder read');

select * from finish();
rollback;
