begin;
select plan(12);

select is(selection.require_rerank(null), null, 'nothing is fine');
select is(selection.require_rerank('null'), null, 'JSON''s null is nothing');
select is(selection.require_rerank('{"model": "m", "scores": {"1": -3.5}}'), '{"model": "m", "scores": {"1": -3.5}}', 'as it should be');
select throws_ok(format('select selection.require_rerank(%L)', w.form), 'QM422', null, w.form)
from (
    values ('[]'), ('"x"'), ('{}'), ('{"model": "m"}'), ('{"scores": {}}'), ('{"model": "m", "scores": []}'),
    ('{"model": "m", "scores": {"1": "2"}}'), ('{"model": "m", "scores": {"1": null}}'), ('{"model": "m", "scores": {"1": -1e31}}')
) as w (form);

select * from finish();
rollback;
