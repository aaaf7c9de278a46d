-- Everything that operations read is granted to two roles: to qm_reader, which row policies restrict, and to
-- administrators. The visible rows depend on the calling principal, never on the database role. Everybody may read the
-- reference tables.
grant usage on schema core to qm_reader, qm_admin;
grant usage on schema api, service to qm_service, qm_reader, qm_user;

grant select on core.setting to qm_reader, qm_admin;
create policy user_reads on core.setting for select to qm_reader, qm_admin using (true);

grant select on core.capability to qm_reader, qm_admin;
create policy user_reads on core.capability for select to qm_reader, qm_admin using (true);

grant select on core.error_code to qm_reader, qm_admin;
create policy user_reads on core.error_code for select to qm_reader, qm_admin using (true);

grant select on core.hook_point to qm_reader, qm_admin;
create policy user_reads on core.hook_point for select to qm_reader, qm_admin using (true);

grant select on core.hook to qm_reader, qm_admin;
create policy user_reads on core.hook for select to qm_reader, qm_admin using (true);

grant select on core.release to qm_reader, qm_admin;
create policy user_reads on core.release for select to qm_reader, qm_admin using (true);

select policy.let_read('core.instance', 'operator');
