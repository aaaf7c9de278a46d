-- catalog.release_kinds: the installer deletes all other data of these kinds, in the same transaction
-- (install/kind_removal.py).
-- Writes: selection.utility, selection.judgement, search.words, search.kind, policy.audience; drops indexes.
create or replace function catalog.release_kinds(p_folder text)
returns void
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_kinds constant text[] := array(select k.name from search.kind as k where k.folder = p_folder and p_folder <> '');
    v_audience_id constant integer := (select min(k.audience_id) from search.kind as k where k.name = any(v_kinds));
    v_index regclass;
begin
    perform policy.lock_rights(true);
    delete from selection.utility as u where u.kind = any(v_kinds);
    delete from selection.judgement as j where j.kind = any(v_kinds);
    delete from search.words as w where w.kind = any(v_kinds);
    for v_index in
        select c.oid
        from pg_class as c
        cross join unnest(v_kinds) as k (name)
        where
            c.relnamespace = 'search'::regnamespace
            and c.relkind = 'i'
            and c.relname ~ format('^(card_%s_label_idx|embedding_%s_\d+_idx)$', k.name, k.name) collate "C"
    loop
        execute format('drop index %s', v_index);
    end loop;
    update search.kind as k set audience_id = null where k.name = any(v_kinds);
    delete from policy.audience as a
    where a.id = v_audience_id and not exists (select from search.kind as k where k.audience_id = a.id);
    perform policy.refresh_rights();
end
$function$;
comment on function catalog.release_kinds(text) is
'Deletes data that belongs to the kinds of a kind folder but has no foreign key to them. Argument p_folder: name of '
'the folder. Only the installer calls this function, before it deletes the kinds.';
