-- selection.refresh_hints: clients that search by themselves compare the words of a goal with the names and texts of
-- tools. A hint adds words that people use and the name does not contain. A goal can say something that only its author
-- may know, so no goal becomes a hint: only single words, of letters alone, that several principals used for the same
-- card. If there are several organisations, at least two must have used the word, because a word of all members of one
-- may be a name that others must not learn. The job runs once a day, and words have a fixed order, so that lists stay
-- the same for caches of prompts.
-- Writes: selection.utility.
create or replace function selection.refresh_hints()
returns jsonb
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_since constant timestamptz := core.now() - (core.get_setting('utility.window') #>> '{}')::interval;
    v_principals constant integer := (core.get_setting('list.hint_principals'))::integer;
    v_organisations constant integer := least(2, (select count(distinct p.organisation_id) from policy.principal as p));
    v_hints integer;
begin
    with used as (
        select r.kind, o.ref, w.word, count(distinct r.principal_id) as principals, count(*) as goals
        from selection.receipt as r
        inner join selection.outcome as o on o.receipt_id = r.id and o.successes > 0
        inner join policy.principal as p on p.id = r.principal_id
        cross join lateral (
            select distinct x.word
            from regexp_split_to_table(
                lower(left(r.goal, 1000) collate core.c_utf8), '[\s.,;:!?()"'']+' collate core.c_utf8
            ) as x (word)
            where x.word ~ '^[[:alpha:]]{3,20}$' collate core.c_utf8
        ) as w
        where r.created_at > v_since
        group by r.kind, o.ref, w.word
        having count(distinct r.principal_id) >= v_principals
            and count(distinct coalesce(p.organisation_id, 0)) >= v_organisations
    ),

    placed as (
        select
            u.kind,
            u.ref,
            u.word,
            row_number() over best as place,
            sum(octet_length(u.word) + 1) over best as bytes
        from used as u
        inner join search.card as c on c.kind = u.kind and c.ref = u.ref
        -- Words without meaning, such as "the", have no lexeme.
        where ts_lexize('pg_catalog.english_stem', u.word) <> '{}'
            and position(u.word in lower(c.name collate core.c_utf8)) = 0
        window best as (
            partition by u.kind, u.ref order by u.principals desc, u.goals desc, u.word collate core.c_utf8
        )
    ),

    made as (
        select p.kind, p.ref, string_agg(p.word, ' ' order by p.place) as hint
        from placed as p
        where p.bytes <= 121
        group by p.kind, p.ref
    )

    update selection.utility as u
    set hint = coalesce(m.hint, '')
    from selection.utility as x
    left join made as m on m.kind = x.kind and m.ref = x.ref
    where u.kind = x.kind and u.ref = x.ref and u.hint <> coalesce(m.hint, '');
    select count(*) into v_hints from selection.utility as u where u.hint <> '';
    return jsonb_build_object('hints', v_hints);
end
$function$;
comment on function selection.refresh_hints() is
'Updates the hints in selection.utility from the goals of successful calls in the time that the setting utility.window '
'gives. Returns JSON with one number: hints (number of cards that have a hint).';
