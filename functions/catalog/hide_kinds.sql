-- catalog.hide_kinds: the cards of a hidden kind belong to an audience without members. So the one test of visibility
-- (policy.is_visible) hides them everywhere, and a search needs no further condition. Only the classes of the cards
-- change.
-- Writes: search.kind, policy.audience, rights classes of cards.
create or replace function catalog.hide_kinds()
returns void
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_before constant integer := (select min(k.audience_id) from search.kind as k);
    v_audience_id integer := v_before;
    v_hidden constant text[] := array(
        select k.name from search.kind as k where core.is_hidden(k.folder)
    );
begin
    if not exists (select from search.kind as k where (k.name = any(v_hidden)) <> (k.audience_id is not null)) then
        return;
    end if;
    perform policy.lock_rights(true);
    if v_audience_id is null then
        insert into policy.audience (name)
        values ('nobody, because the kind is hidden')
        returning id into v_audience_id;
    end if;
    update search.kind as k
    set audience_id = case when k.name = any(v_hidden) then v_audience_id end
    where (k.name = any(v_hidden)) <> (k.audience_id is not null);
    perform catalog.classify();
    if v_hidden = '{}' then
        delete from policy.audience as a where a.id = v_before;
        perform policy.refresh_rights();
    end if;
end
$function$;
comment on function catalog.hide_kinds() is
'Hides the kinds of hidden kind folders from everybody, and shows the kinds of all other kind folders again. All data '
'of a hidden kind are kept. Call this function after a change to core.kind_folder.is_hidden.';
