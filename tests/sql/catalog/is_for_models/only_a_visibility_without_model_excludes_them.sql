begin;
select plan(5);

create function pg_temp.seen(p_visibility text) returns boolean language sql as $$
    select catalog.is_for_models(jsonb_build_object('extra', jsonb_build_object('_meta', jsonb_build_object('ui', jsonb_build_object('visibility', p_visibility::jsonb)))));
$$;
select ok(catalog.is_for_models('{"name": "x"}'), 'a plain tool is for models');
select ok(not pg_temp.seen('["app"]'), 'what only an app uses is not');
select ok(not pg_temp.seen('[]'), 'what nobody uses is not');
select ok(pg_temp.seen('["app", "model"]'), 'what both use is');
select ok(pg_temp.seen('"app"') and pg_temp.seen('null'), 'what is malformed says nothing');

select * from finish();
rollback;
