-- search.refuse_name: security definer functions call this function, too. No row policy restricts them, so the function
-- tests visibility itself.
create or replace function search.refuse_name(p_kind text, p_name text)
returns void
language plpgsql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_name constant text := left(coalesce(p_name, ''), 200);
    v_label constant text := search.fold_label(v_name);
    v_nearest text;
begin
    select string_agg(n.name, ', ')
    into v_nearest
    from (
        select c.name
        from search.card as c
        where c.kind = p_kind and policy.is_visible(c.rights_class, (select policy.visible_classes()))
        order by
            ext.similarity(c.label, v_label) + ext.similarity(lower(c.name), lower(v_name collate core.c_utf8)) desc,
            c.name
        limit 3
    ) as n;
    perform core.fail(
        search.kind_slug(array[p_kind], '_not_found'),
        format('there is no %s called %L', replace(p_kind, '_', ' '), v_name),
        null,
        case
            when v_nearest is not null
                then format('Did you mean: %s? If not, search for tools with search_tools or qm search.', v_nearest)
        end
    );
end
$function$;
comment on function search.refuse_name(text, text) is
'Raises the error for a card that does not exist or that the caller may not see. The caller cannot find out which of '
'the two is the reason. Arguments: p_kind: an existing kind of card; p_name: the name that was not found. The error is '
'QM404 with the slug of the kind, and names the nearest visible names.';
grant execute on function search.refuse_name to qm_reader;
