-- The only row in audit.chain. A transaction must lock this row before it appends a record to the chain.
insert into audit.chain (transaction)
select pg_current_xact_id()
where not exists (select from audit.chain);
