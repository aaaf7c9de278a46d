-- Every working role may read the reference tables, and operators may read instances. The owner's
-- rights are used inside security definer functions.
grant usage on schema core to qm_user;
grant usage on schema api to qm_service, qm_user;

alter table core.alembic_version enable row level security;
alter table core.alembic_version force row level security;

grant select on core.setting to qm_user;
create policy user_reads on core.setting for select to qm_user using (true);

grant select on core.capability to qm_user;
create policy user_reads on core.capability for select to qm_user using (true);

grant select on core.error_code to qm_user;
create policy user_reads on core.error_code for select to qm_user using (true);

grant select on core.release to qm_user;
create policy user_reads on core.release for select to qm_user using (true);

grant select on core.instance to qm_operator;
create policy operator_reads on core.instance for select to qm_operator using (true);
