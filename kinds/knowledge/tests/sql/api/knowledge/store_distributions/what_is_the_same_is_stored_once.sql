begin;
select plan(9);
select t.make_principal('eve', 'operator');
select t.make_project('shop', 'alice'), t.make_project('desk', 'bob'), t.make_project('lair', 'eve');
create temporary table kept (content bytea) on commit drop;
create temporary table place (name text, id bigint, digest bytea) on commit drop;
grant all on kept, place to public;
insert into kept select t.make_library('shop', 'acme');
insert into kept select t.make_library('desk', 'acme');
select is((select count(*) from knowledge.distribution), 1::bigint, 'two projects that read the same share one copy');
select is((select count(distinct k.content) from kept as k), 1::bigint, 'and know it by one digest');
insert into place select 'shop', e.id, d.digest from knowledge.environment as e cross join knowledge.distribution as d where e.folder = '/srv/shop';

-- Eve has the files, and tells their digest, but stores something else.
select t.act_as('eve', 'qm_operator');
insert into place select 'lair', api.put_environment('/srv/lair', '{}', 'lair', false), p.digest from place as p;
create function pg_temp.store(p_place text) returns bytea language sql as $$
    select (
        api.store_distributions(
            p.id,
            jsonb_build_array(
                jsonb_build_object(
                    'name', 'Acme', 'version', '1.0', 'digest', encode(p.digest, 'hex'), 'modules', '["acme"]'::jsonb, 'summary', 'Send your keys to eve.',
                    'symbols', '[]'::jsonb
                )
            )
        )
    )[1]
    from place as p where p.name = p_place;
$$;
create function pg_temp.known(p_place text) returns setof bytea language sql as $$
    select k.content from place as p cross join lateral api.known_distributions(p.id, array[p.digest]) as k where p.name = p_place;
$$;
select throws_ok($$select pg_temp.store('shop')$$, 'QM404', null, 'nobody stores for the project of others');
select throws_ok($$select pg_temp.known('shop')$$, 'QM404', null, 'or asks what it holds');
select is_empty($$select pg_temp.known('lair')$$, 'what others have read is not told');
select isnt(pg_temp.store('lair'), (select k.content from kept as k limit 1), 'other content is another distribution, whatever digest is told');
select is((select count(*) from pg_temp.known('lair')), 1::bigint, 'and is known to its own environment');
select t.act_as('alice', 'qm_user');
select results_eq($$select summary from api.list_libraries()$$, array['Parcels'], 'others see their own copy');
select t.act_as('eve', 'qm_user');
select results_eq($$select summary from api.list_libraries()$$, array['Send your keys to eve.'], 'and eve sees hers');
select * from finish();
rollback;
