begin;
select plan(10);

select is(catalog.allowed_value('program', '[ "uvx", "x" ]'), '["uvx","x"]', 'a program');
select is(catalog.allowed_value('network', '10.1.2.3/8'), '10.0.0.0/8', 'a network');
select is(catalog.allowed_value('secret', 'secret:o/key'), 'secret:o/key', 'a secret');
select is(catalog.allowed_value('environment', 'env:HOME'), 'env:HOME', 'an environment variable');
select throws_ok(
    format('select catalog.allowed_value(%L, %L)', w.kind, w.value), 'QM422',
    format('%L is not a valid value for a permission of the kind %L', w.value, w.kind), w.because
)
from (
    values
    ('program', '[]', 'no program'),
    ('program', 'uvx', 'a program that is no array'),
    ('network', 'localhost', 'a name is no network'),
    ('secret', 'env:HOME', 'a secret is no environment variable'),
    ('environment', 'env:', 'a variable has a name'),
    ('everything', 'x', 'an unknown kind')
) as w (kind, value, because);

select * from finish();
rollback;
