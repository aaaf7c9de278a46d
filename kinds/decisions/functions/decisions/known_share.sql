-- decisions.known_share: the search engine ignores words that occur in no card. If "7.5" occurs in no card, a decision
-- that mentions releases would therefore seem to match every word of the task "Release 7.5". The caller multiplies the
-- share of matched words by this share.
create or replace function decisions.known_share(p_task text)
returns real
language plpgsql
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
begin
    perform policy.require_principal();
    return (
        select (
            q.weight / nullif(q.weight + (t.words - q.words) * ln(1 + (k.cards + 0.5::float8) / 0.5::float8), 0)
        )::real
        from search.kind as k
        cross join (select count(*) as words from unnest(search.tokenize(p_task))) as t
        cross join (
            select count(*) as words, coalesce(sum(q.weight), 0) as weight
            from search.query_terms('decision', p_task) as q
        ) as q
        where k.name = 'decision'
    );
end
$function$;
comment on function decisions.known_share(text) is
'Returns the share of a task''s words that occur in decisions, from 0 to 1. Rare words count more. Argument p_task: '
'text of the task.';
grant execute on function decisions.known_share to qm_reader;
