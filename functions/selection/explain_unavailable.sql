create or replace function selection.explain_unavailable(p_kind text, p_ref bigint)
returns jsonb
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select jsonb_build_object(
        'reason', 'unavailable',
        'detail', jsonb_build_object('cause', u.reason, 'until', u.until),
        'remedy', u.remedy
    )
    from selection.find_unavailable(p_kind, array[p_ref]) as u;
$function$;
comment on function selection.explain_unavailable(text, bigint) is
'Explains why a card cannot be used now, which halves its utility. Arguments: p_kind: kind of card; p_ref: id of the '
'card in the table of the kind. Returns {reason, detail, remedy}, or null if the card can be used.';
grant execute on function selection.explain_unavailable to qm_reader;
