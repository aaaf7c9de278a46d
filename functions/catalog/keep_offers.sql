-- catalog.keep_offers: a trigger notices every change of an item, whichever function makes it. A version that the scan
-- quarantines in the same statement counts as never offered.
-- Writes: catalog.offer.
create or replace function catalog.keep_offers()
returns trigger
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_now constant timestamptz := core.now();
begin
    with ended as (
        select o.id, o.valid_from
        from catalog.offer as o
        inner join written as w on w.id = o.item_id
        where o.valid_to is null and not (w.is_live and w.version = o.version)
    ),

    never as (
        delete from catalog.offer as o using ended as e where o.id = e.id and e.valid_from >= v_now
    )

    update catalog.offer as o
    set valid_to = v_now
    from ended as e
    where o.id = e.id and e.valid_from < v_now;

    insert into catalog.offer (item_id, version, valid_from)
    select w.id, w.version, v_now
    from written as w
    where w.is_live and not exists (select from catalog.offer as o where o.item_id = w.id and o.valid_to is null)
    order by w.id;
    return null;
end
$function$;
comment on function catalog.keep_offers() is
'Trigger that records the period in which each version of an item was offered. The trigger runs after each statement, '
'and reads the new rows from a transition table called "written".';
