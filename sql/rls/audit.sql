-- Administrators may read the audit chain. Security definer functions append records to the chain,
-- but not even these functions can change a record.
grant usage on schema audit to qm_reader, qm_admin;

drop policy owner_all on audit.record;
create policy owner_reads on audit.record for select to qm_owner using (true);
create policy owner_adds on audit.record for insert to qm_owner with check (true);

select policy.let_read('audit.record', 'admin');
select policy.let_read('audit.cut', 'admin');
select policy.let_read('audit.signature', 'admin');
