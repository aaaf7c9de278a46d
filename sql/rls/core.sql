-- Every working role reads the reference tables; operators read instances. The owner acts inside
-- definer functions.
grant usage on schema core to qm_user;
grant usage on schema api to qm_service, qm_user;

alter table core.alembic_version enable row level security;
alter table core.alembic_version force row level security;
create policy owner_all on core.alembic_version to qm_owner using (true);

grant select on core.setting to qm_user;
create policy owner_all on core.setting to qm_owner using (true);
create policy user_reads on core.setting for select to qm_user using (true);

grant select on core.capability to qm_user;
create policy owner_all on core.capability to qm_owner using (true);
create policy user_reads on core.capability for select to qm_user using (true);

grant select on core.error_code to qm_user;
create policy owner_all on core.error_code to qm_owner using (true);
create policy user_reads on core.error_code for select to qm_user using (true);

grant select on core.release to qm_user;
create policy owner_all on core.release to qm_owner using (true);
create policy user_reads on core.release for select to qm_user using (true);

create policy owner_all on core.kind_folder to qm_owner using (true);

create policy owner_all on core.version to qm_owner using (true);

grant select on core.instance to qm_operator;
create policy owner_all on core.instance to qm_owner using (true);
create policy operator_reads on core.instance for select to qm_operator using (true);
