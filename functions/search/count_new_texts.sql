-- search.count_new_texts: other changes to cards are not counted, because they need no new vector. A statement adds one
-- to the counter of a kind, however many cards it writes.
-- Definer: a role that changes search.card need not have permission to write core.version.
-- Writes: core.version.
create or replace function search.count_new_texts()
returns trigger
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
set enable_nestloop = off -- a plan that was made for a few rows would compare thousands with each other
as $function$
declare
    v_kinds text[];
begin
    if tg_op = 'INSERT' then
        v_kinds := array(select distinct w.kind from written as w);
    else
        v_kinds := array(
            select distinct w.kind
            from written as w
            inner join replaced as o on o.id = w.id
            where (w.kind, w.text_hash) is distinct from (o.kind, o.text_hash)
        );
    end if;
    insert into core.version as v (name, value)
    select 'texts of ' || k.name, 1
    from unnest(v_kinds) as k (name)
    order by k.name collate core.c_utf8
    on conflict (name) do update set value = v.value + 1;
    return null;
end
$function$;
comment on function search.count_new_texts() is
'Trigger that counts the statements that gave cards new texts, separately for each kind of card. It runs after each '
'statement. It reads the new rows from a transition table called "written" and, after an update, the old rows from a '
'transition table called "replaced".';
