-- Before the end of a transaction in which the owner has acted (sql/as_owner.sql): nothing of it may be left to run at
-- the end, when the login acts again. What is deferred runs now, and cursors are closed. Code can defer itself again, so
-- PostgreSQL is asked, with a change of a table that changes nothing, whether something still waits; it names the table.
do $do$
declare
    v_table regclass;
begin
    perform pg_temp.as_owner('set constraints all immediate');
    execute 'close all';
    for v_table in
        select distinct t.tgrelid
        from pg_trigger as t
        inner join pg_class as c on c.oid = t.tgrelid
        left join pg_constraint as k on k.oid = t.tgconstraint
        left join pg_index as i on i.indexrelid = k.conindid
        where
            t.tgdeferrable and c.relkind = 'r'
            -- A table of others to which the owner cannot write holds nothing of his. Where it may, only who owns it can ask.
            and (
                pg_has_role(c.relowner, 'usage')
                or has_any_column_privilege('qm_owner', c.oid, 'insert, update')
                or has_table_privilege('qm_owner', c.oid, 'delete')
            )
            and (not t.tgisinternal or k.contype = 'x' and (i.indexprs is not null or i.indpred is not null))
    loop
        execute format('alter table %s reset (autovacuum_enabled)', v_table);
    end loop;
end
$do$;
