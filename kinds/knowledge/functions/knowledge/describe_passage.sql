create or replace function knowledge.describe_passage(p_ref bigint)
returns jsonb
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select jsonb_build_object(
        'text', projects.mention(n.project_id) || p.text,
        'heading', p.heading,
        'note', n.name,
        'title', n.title,
        'domain', n.domain,
        'source', n.source,
        'version', n.version,
        'reviewed', n.reviewed_on,
        'stale', knowledge.is_stale(n)
    ) || knowledge.vouch(n)
    from knowledge.passage as p
    inner join knowledge.note as n on n.id = p.note_id
    where p.id = p_ref;
$function$;
comment on function knowledge.describe_passage(bigint) is
'Describes a passage for api.describe_card. Argument p_ref: id of the passage. Returns a JSON object with the text and '
'heading of the passage, and with data of the passage''s note, such as title, source, the time of the last review, and '
'who vouches for it (knowledge.vouch).';
grant execute on function knowledge.describe_passage to qm_reader;
