-- quality.require_sums: without this check, a score could exceed its range.
create or replace function quality.require_sums()
returns trigger
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_wrong text;
begin
    select w.what
    into v_wrong
    from (
        select 'the weights of the categories' as what, sum(c.weight) as total
        from quality.category as c
        union all
        select format('the shares of %s for %s files', k.category, k.language), sum(k.share)
        from quality.checker as k
        group by k.category, k.language
    ) as w
    where w.total <> 1
    limit 1;
    if v_wrong is not null then
        perform core.fail('weights_invalid', format('%s must add up to 1', v_wrong));
    end if;
    return null;
end
$function$;
comment on function quality.require_sums() is
'Trigger that raises QM422 weights_invalid if weights or shares do not add up to 1.';
