-- Runs before the commit of a transaction in which qm_owner has run SQL (sql/as_owner.sql). During the commit, the
-- session has the rights of the login, so no code of the owner may wait until then. Deferred triggers and constraints
-- therefore run now, as qm_owner, and cursors are closed. This code may defer further code. To find such code, the file
-- changes each possible table, with a statement that has no effect. If code still waits, PostgreSQL refuses the
-- statement and names the table.
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
