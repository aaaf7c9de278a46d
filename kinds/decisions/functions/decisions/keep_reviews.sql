-- decisions.keep_reviews: when a project is deleted, the triggers of foreign keys delete its reviews. All other
-- deletions are refused.
create or replace function decisions.keep_reviews()
returns trigger
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
begin
    if tg_op = 'DELETE' and pg_trigger_depth() > 1 then
        return old;
    end if;
    perform core.fail('review_kept', 'reviews of decisions cannot be changed or deleted');
    return null;
end
$function$;
comment on function decisions.keep_reviews() is
'Trigger that prevents changes to reviews and the deletion of reviews. Reviews can be deleted only together with the '
'project. Raises QM409 review_kept.';
