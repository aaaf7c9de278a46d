begin;
select plan(12);

select matches(catalog.callable_name('o', 'o', n.name), '^[A-Za-z0-9_-]{1,44}$', 'name ' || quote_literal(n.name))
from (values ('日本語ツール'), ('emoji 🚀'), ('naïve'), (' '), ('.'), ('a/b.c'), ('a b'), ('__'), (E'\t\n'), ('-x-'), (repeat('é', 512))) as n (name);
select is(
    (select count(distinct catalog.callable_name('o', 'o', n.name)) from (values ('日本語'), ('日本'), ('ツール'), (' '), ('a b'), ('a_b'), ('a.b')) as n (name)),
    7::bigint, 'and no two names become one'
);

select * from finish();
rollback;
