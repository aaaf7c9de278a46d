-- The pools of a search in one scope are remembered, but never used by a search in another.
begin;
select plan(14);

select t.make_catalog(), t.make_project('shop', 'alice'), t.make_project('bank', 'bob');
select t.make_library('shop', 'acme', '1.0', 'Sends a parcel by road.');
select t.make_library('shop', 'swift', '1.0', 'Sends a parcel by road, quickly.');
select t.make_library('bank', 'vault', '1.0', 'Sends a parcel by road, in secret.');
create function pg_temp.ids(variadic p_names text[]) returns jsonb language sql security definer as $$
    select jsonb_agg(d.id order by d.id) from knowledge.distribution as d where d.name = any(p_names)
$$;
create function pg_temp.found(p_scope jsonb) returns text language sql as $$
    select string_agg(s.name, ' ' order by s.name)
    from api.search_cards('send a parcel by road', '{symbol}', 'fast', scope => p_scope) as s
$$;
create function pg_temp.read(p_scope jsonb) returns text language sql as $$
    select string_agg(c.name, ' ' order by c.name)
    from api.rerank_candidates('send a parcel by road', 'thorough', '{symbol}', scope => p_scope) as r
    inner join search.card as c on c.id = r.card_id
$$;

-- A project's own packages are for its members, whatever scope somebody names.
select t.read_as('alice');
select is(pg_temp.found(jsonb_build_object(s.key, pg_temp.ids('vault'))), null, 'nobody finds a package of another project by its id: ' || s.key)
from (values ('distributions'), ('among')) as s (key);
select is(pg_temp.read(jsonb_build_object('distributions', pg_temp.ids('vault'))), null, 'nor reads it');
select is(
    (select f.cards ->> 'symbol' from api.find_cards('send a parcel by road', 'fast', '{symbol}', scope => jsonb_build_object('distributions', pg_temp.ids('vault'))) as f),
    '{}', 'nor on a replica'
);

select is(pg_temp.found(null), 'acme.send swift.send', 'without a scope, all that one may see');
select is(pg_temp.found(jsonb_build_object('distributions', pg_temp.ids('acme'))), 'acme.send', 'with one, what is in it');
select is(pg_temp.found(jsonb_build_object('among', pg_temp.ids('swift'))), 'swift.send', 'with another, what is in that');
select is(pg_temp.found('{}'), 'acme.send swift.send', 'and then all again');
select is(pg_temp.found(jsonb_build_object(s.key, '[]'::jsonb)), null, 'a scope without a library finds none: ' || s.key)
from (values ('distributions'), ('among')) as s (key);
select is(pg_temp.read(null), 'acme.send swift.send', 'what is read again is that of all');
select is(pg_temp.read(jsonb_build_object('distributions', pg_temp.ids('acme'))), 'acme.send', 'or that of the scope');

-- What a replica found in a scope is stored for this scope.
create temporary table given as
select f.*, jsonb_build_object('among', pg_temp.ids('acme')) as scope
from api.find_cards('send a box', 'fast', '{symbol}', scope => jsonb_build_object('among', pg_temp.ids('acme'))) as f;
select ok(service.remember_cards(g.counters, g.cards, 'send a box', 'fast', scope => g.scope), 'it is taken') from given as g;
select is(
    (
        select array_agg(p.is_cached order by s.place)
        from (select 1 as place, '{}'::jsonb as scope union all select 2, g.scope from given as g) as s
        cross join lateral selection.find_pool('symbol', 'send a box', null, selection.require_mode('fast'), s.scope) as p
    ), '{f, t}', 'only a search in the scope uses it'
);

select * from finish();
rollback;
