begin;
select plan(3);
select t.make_project('shop', 'alice');
create temporary table place (id bigint) on commit drop;
grant all on place to public;
select t.act_as('alice', 'qm_operator');
insert into place select api.put_environment('/srv/shop', '{}', 'shop', false);
create function pg_temp.store(p_digest text, p_unread text, p_symbols jsonb) returns bytea language sql as $$
    select (
        api.store_distributions(
            p.id,
            jsonb_build_array(
                jsonb_build_object(
                    'name', 'acme', 'version', '1.0', 'digest', p_digest, 'modules', '["acme"]'::jsonb, 'summary', 'Parcels', 'unread',
                    jsonb_build_array(p_unread), 'symbols', p_symbols
                )
            )
        )
    )[1]
    from place as p;
$$;
create function pg_temp.known(p_digest text) returns setof bytea language sql as $$
    select k.content from place as p cross join lateral api.known_distributions(p.id, array[decode(p_digest, 'hex')]) as k;
$$;
select isnt(pg_temp.store(repeat('a', 64), 'needs more memory', '[]'), null, 'a distribution of which nothing could be read is stored');
select is_empty($$select pg_temp.known(repeat('a', 64))$$, 'and it is read again the next time');
select pg_temp.store(
    repeat('b', 64), 'acme._core: compiled, without stubs', jsonb_build_array(
        jsonb_build_object(
            'path', 'acme', 'paths', '[]'::jsonb, 'kind', 'module', 'signature', 'acme', 'file', 'acme/__init__.py', 'line', 0, 'passage', '',
            'parameters', '[]'::jsonb, 'deprecated', '', 'is_async', false, 'is_public', false, 'priors', '[0,1,0,1,2,1,0,0,1,0,0,0,0,0,1]'::jsonb
        )
    )
);
select is((select count(*) from pg_temp.known(repeat('b', 64))), 1::bigint, 'one that was read in part is not');
select * from finish();
rollback;
