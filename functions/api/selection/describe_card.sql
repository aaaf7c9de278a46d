-- api.describe_card: a missing card and an invisible card raise the same error.
create or replace function api.describe_card(kind text, name text, as_of timestamptz default null)
returns jsonb
language plpgsql
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_function text;
    v_card search.card;
    v_description jsonb;
begin
    perform search.require_kinds(array[describe_card.kind]);
    if describe_card.as_of is not null then
        v_description := catalog.describe_past(
            describe_card.kind, describe_card.name, core.require_past(describe_card.as_of)
        );
        if v_description is null then
            perform search.refuse_name(describe_card.kind, describe_card.name);
        end if;
        return v_description;
    end if;
    select k.describe_function into v_function from search.kind as k where k.name = describe_card.kind;
    -- A card of a project may have the name of one that everybody may see, and does not take its place.
    select *
    into v_card
    from search.card as c
    where c.kind = describe_card.kind and c.name = describe_card.name
    order by c.audience_id is not null, c.id
    limit 1;
    if not found then
        perform catalog.refuse_withheld(describe_card.kind, describe_card.name);
        perform search.refuse_name(describe_card.kind, describe_card.name);
    end if;
    if v_function is not null then
        execute format('select %s($1)', v_function::regproc) into v_description using v_card.ref;
    end if;
    return jsonb_build_object('kind', v_card.kind, 'name', v_card.name, 'origin', v_card.origin, 'brief', v_card.brief)
        || coalesce(v_description, '{}');
end
$function$;
comment on function api.describe_card(text, text, timestamptz) is
'Describes one card of any kind, as the card is offered now or was offered in the past. Arguments: kind: kind of card; '
'name: name of the card; as_of: a time in the past (default: now). Returns JSON with the members `kind`, `name`, '
'`origin`, `brief` (a short description) and the members that the kind adds. With as_of, there are three more: '
'`definition`, and the period in which this definition was offered (`valid_from`, `valid_to`). Raises an error of the '
'kind in two cases: the caller may not see a card of this name (such as QM404 tool_not_found), or the card is waiting '
'for approval or is in quarantine (such as QM409 tool_withheld). Also raises QM404 kind_not_found and QM422 '
'argument_invalid.';
alter function api.describe_card owner to qm_reader;
grant execute on function api.describe_card to qm_user;
