begin;
select plan(6);

select throws_ok(
    format('select lookup.refuse_query(array[%L, %L, %L])', q.slug, 'the message', 'the hint'), q.code, 'the message', q.slug
)
from (
    values ('query_empty', 'QM422'), ('query_too_long', 'QM413'), ('property_unknown', 'QM422'), ('argument_invalid', 'QM422'), ('unsupported_table', 'QM422')
) as q (slug, code);
select lives_ok($$select lookup.refuse_query(null)$$, 'no mistake');

select * from finish();
rollback;
