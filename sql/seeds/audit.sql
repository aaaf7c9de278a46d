-- The row whose lock lets one append to the chain.
insert into audit.chain (transaction)
select pg_current_xact_id()
where not exists (select from audit.chain);
