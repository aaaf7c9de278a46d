create or replace view api.notes with (security_invoker = true) as
select
    n.name,
    n.domain,
    n.title,
    n.owner || '/' || n.project as project,
    n.passages,
    n.verified,
    n.stale,
    n.reviewed,
    n.version,
    n.source,
    n.problem
from api.list_notes() as n;
comment on view api.notes is
'Notes that you may read, with those of your projects first. Example: `select name, domain, title from notes limit '
'10;`';
comment on column api.notes.name is 'The name of the note.';
comment on column api.notes.domain is 'The domain to which it belongs.';
comment on column api.notes.title is 'Its title.';
comment on column api.notes.project is 'Its project, as OWNER/NAME; null if it comes with Quartermaster.';
comment on column api.notes.passages is 'The number of its passages.';
comment on column api.notes.verified is
'Whether somebody compared it with its source. For notes of projects, only the project says so.';
comment on column api.notes.stale is 'Whether it should be reviewed again.';
comment on column api.notes.reviewed is 'The day of its last review.';
comment on column api.notes.version is 'The version of what the note is about.';
comment on column api.notes.source is 'Where its contents come from.';
comment on column api.notes.problem is 'Why it is in quarantine; null if it is not.';
grant select on api.notes to qm_user;
