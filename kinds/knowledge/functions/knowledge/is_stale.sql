-- knowledge.is_stale: a cited file counts as changed if a version that Quartermaster saw on a later day than that of
-- the review has been replaced since then. A cited library counts as changed if the environments of the project contain
-- only other versions of it than the cited one.
create or replace function knowledge.is_stale(p_note knowledge.note)
returns boolean
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select core.now() > p_note.reviewed_on + make_interval(days => (core.get_setting('knowledge.fresh_for'))::integer)
        or exists (
            select
            from unnest(p_note.cites) as c (cite)
            where p_note.project_id is not null
                and projects.has_changed(p_note.project_id, c.cite, p_note.reviewed_on + 1)
            or exists (
                select
                from knowledge.environment as e
                inner join knowledge.environment_distribution as h on h.environment_id = e.id
                inner join knowledge.distribution as d on d.id = h.distribution_id
                where e.project_id = p_note.project_id
                    and d.name = knowledge.library_name(substring(c.cite from '^([\w.-]+) \d[\w.]*$'))
                having bool_and((d.version || '.') not like substring(c.cite from ' (\d[\w.]*)$') || '.%')
            )
        );
$function$;
comment on function knowledge.is_stale(knowledge.note) is
'Checks whether a note should be reviewed again. Argument p_note: the note. Returns true if the last review is older '
'than the setting knowledge.fresh_for, or if a cited file or library has changed since then.';
grant execute on function knowledge.is_stale to qm_reader;
