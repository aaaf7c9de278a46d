-- What was there before the installation is noted where qm_owner cannot write (sql/prior_state.sql, which has taken over
-- what stood in this table).
-- squawk-ignore-file ban-drop-table
drop table if exists core.prior_state;
comment on column core.installed_object.remedy is
'SQL with which qm_owner brings the state back; null if the files of an installation do that, or if nothing does.';
