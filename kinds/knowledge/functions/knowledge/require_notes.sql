create or replace function knowledge.require_notes(p_notes jsonb)
returns void
language plpgsql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_invalid text;
    v_times bigint;
begin
    select coalesce(n.name, '?'), n.of_name
    into v_invalid, v_times
    from (
        select
            e.note,
            e.note ->> 'name' as name,
            count(e.note ->> 'name') over (partition by e.note ->> 'name') as of_name
        from jsonb_array_elements(p_notes) as e (note)
    ) as n
    where
        (
            jsonb_typeof(n.note) = 'object'
            and n.of_name = 1
            and n.name ~ '^[a-z0-9][a-z0-9-]{0,63}(/[a-z0-9][a-z0-9-]{0,63})?$'
            and length(n.note ->> 'title') between 1 and 200
            and length(n.note ->> 'source') between 1 and 1000
            and length(n.note ->> 'version') <= 40
            and jsonb_typeof(n.note -> 'verified') = 'boolean'
            and n.note ->> 'reviewed' ~ '^\d{4}-\d\d-\d\d$' collate core.c_utf8
            and coalesce(jsonb_typeof(n.note -> 'cites'), 'array') = 'array'
            and n.note ->> 'digest' ~ '^[0-9a-f]{64}$'
            and jsonb_typeof(n.note -> 'passages') = 'array'
            and jsonb_array_length(n.note -> 'passages') between 1 and 200
            and not exists (
                select from jsonb_array_elements(n.note -> 'passages') as p (passage)
                where (
                    length(p.passage ->> 'text') between 1 and 8000
                    and length(p.passage ->> 'heading') between 1 and 200
                    and coalesce(length(p.passage ->> 'asked'), 0) <= 1000
                ) is not true
            )
        ) is not true
    limit 1;
    if v_invalid is not null then
        perform core.fail(
            'note_invalid',
            format(
                'the note %L %s',
                left(v_invalid, 100),
                case when v_times > 1 then 'is given twice' else 'cannot be stored' end
            )
        );
    end if;
end
$function$;
comment on function knowledge.require_notes(jsonb) is
'Raises an error if a note cannot be stored or is given twice. Argument p_notes: JSON array of notes, each with its '
'passages. Raises QM422 note_invalid.';
