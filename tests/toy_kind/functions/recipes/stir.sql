-- recipes.stir: what the job of this kind does.
create or replace function recipes.stir()
returns jsonb
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select jsonb_build_object('times', core.get_setting('recipe.stirs'));
$function$;
comment on function recipes.stir() is 'JSON {times}.';
