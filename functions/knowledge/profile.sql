-- knowledge.profile: what is known about a project, in three lines: its code, its environment, its knowledge.
create or replace function knowledge.profile(p_project_id integer)
returns text
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select concat_ws(
        E'\n',
        format('%s: %s', p.name, coalesce(c.languages, 'no file was scanned yet')),
        format('Environment: %s', coalesce(e.packages || case e.packages when 1 then ' package is indexed' else ' packages are indexed' end, format('no package of its own is indexed (qm docs index --project %s)', p.name))),
        format(
            'Knowledge: %s canonical %s, %s own %s', d.decisions, case d.decisions when 1 then 'decision' else 'decisions' end,
            n.notes, case n.notes when 1 then 'note' else 'notes' end
        )
    )
    from projects.project as p
    cross join lateral (
        select string_agg(format('%s %s %s', l.files, l.language, case l.files when 1 then 'file' else 'files' end), ', ' order by l.files desc) as languages
        from (
            select v.language, count(distinct v.path) as files from quality.file_version as v where v.project_id = p.id group by v.language
        ) as l
    ) as c
    cross join lateral (
        select nullif(count(distinct h.distribution_id), 0) as packages
        from knowledge.environment as v
        inner join knowledge.environment_distribution as h on h.environment_id = v.id
        where v.project_id = p.id
    ) as e
    cross join lateral (select count(*) as decisions from decisions.decision as x where x.project_id = p.id and x.status = 'canonical') as d
    cross join lateral (select count(*) as notes from knowledge.note as k where k.project_id = p.id and k.problem is null) as n
    where p.id = p_project_id;
$function$;
comment on function knowledge.profile(integer) is
'Summarises a project. Argument p_project_id: id of the project. Returns three lines of text: the number of files in '
'each language; the number of indexed packages in the project''s environment; the number of canonical decisions and of '
'the project''s own notes.';
grant execute on function knowledge.profile to qm_reader;
