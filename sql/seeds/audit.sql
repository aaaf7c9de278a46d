-- The one row of audit.chain. Whoever holds its lock may append to the chain.
insert into audit.chain (transaction)
select pg_current_xact_id()
where not exists (select from audit.chain);
