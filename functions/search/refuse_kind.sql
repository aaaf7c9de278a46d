create or replace function search.refuse_kind(p_kind text)
returns void
language plpgsql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
begin
    perform core.fail(
        'kind_not_found',
        format('there is no kind of card called %L', left(p_kind, 200)),
        null,
        format(
            'Use one of: %s.',
            (
                select string_agg(k.name, ', ' order by k.name collate "C")
                from search.kind as k
                where k.audience_id is null
            )
        )
    );
end
$function$;
comment on function search.refuse_kind(text) is
'Raises QM404 kind_not_found for an unknown kind of card, with the names of the existing kinds. Argument p_kind: the '
'unknown name.';
grant execute on function search.refuse_kind to qm_reader;
