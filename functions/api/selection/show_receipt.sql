-- api.show_receipt: it shows a card only if the caller may see the card now. A card that is hidden and a card that no
-- longer exists have one text. Users do not learn how many of the found cards a rule hid (not_visible); operators do.
-- What a call or a card says about itself may quote the name of the card, so it is shown with the name or not at all.
create or replace function api.show_receipt(receipt bigint)
returns table (
    part text, at timestamptz, rank integer, name text, score real, outcome text, duration_ms real, text text,
    detail jsonb
)
language plpgsql
stable parallel safe security definer
rows 10
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_receipt selection.receipt;
begin
    perform policy.require_principal();
    select r.* into v_receipt from selection.receipt as r where r.id = show_receipt.receipt;
    if v_receipt.id is null then
        perform core.fail(
            'receipt_not_found',
            format('you have no receipt (record of a search) with the number %s', show_receipt.receipt)
        );
    end if;

    return query
    select
        'asked',
        v_receipt.created_at,
        null::integer,
        (select p.name from policy.principal as p where p.id = v_receipt.principal_id),
        null::real,
        null::text,
        v_receipt.duration_ms,
        v_receipt.goal,
        jsonb_strip_nulls(
            jsonb_build_object(
                'kind', v_receipt.kind,
                'origin', (
                    select c.origin
                    from search.card as c
                    where c.kind = v_receipt.kind and c.origin = v_receipt.origin
                    limit 1
                ),
                'mode', v_receipt.mode,
                'mode_label', nullif(v_receipt.mode_label, ''),
                'door', v_receipt.door,
                'request_id', v_receipt.request_id,
                'stages', nullif(v_receipt.stages, '{}')
            )
        );

    return query
    select
        'offered',
        null::timestamptz,
        o.rank,
        o.name,
        case when o.name is not null then (o.offer ->> 'score')::real end,
        null::text,
        null::real,
        case
            when not o.offer ? 'ref' then 'The receipt does not say which card this was.'
            when o.name is null then 'This card no longer exists, or you may not see it.'
            else concat_ws(
                ' ',
                case when o.offer -> 'weak' = 'true' then 'It is only one of the nearest.' end,
                'It could not be used: ' || rtrim(o.offer #>> '{unavailable,reason}', '.') || '.'
            )
        end,
        case
            when o.name is not null then jsonb_strip_nulls(
                jsonb_build_object(
                    'origin', nullif(o.origin, ''),
                    'scores', nullif(o.offer -> 'scores', '{}'),
                    'unavailable', o.offer -> 'unavailable'
                )
            )
        end
    from catalog.offered_cards(array[v_receipt.id]) as o
    order by o.rank;

    return query
    select
        'withheld',
        null::timestamptz,
        null::integer,
        d.name,
        null::real,
        null::text,
        null::real,
        format('It has the same name and meaning as %s.', o.name),
        jsonb_build_object('rule', 'duplicate', 'of', o.name)
    from catalog.offered_cards(array[v_receipt.id]) as o
    cross join jsonb_array_elements_text(o.offer -> 'duplicates') as d (name)
    where o.name is not null
        and exists (select from search.card as c where c.kind = v_receipt.kind and c.name = d.name)
    order by o.rank, d.name collate core.c_utf8;

    return query
    select
        'withheld',
        null::timestamptz,
        null::integer,
        null::text,
        null::real,
        null::text,
        null::real,
        format(
            '%s %s: %s',
            w.cards,
            case w.cards when '1' then 'card' else 'cards' end,
            case w.rule
                when 'unlikely' then 'far less probable than the best card'
                when 'below_cut' then 'other cards ranked higher'
                when 'redundant' then 'too similar to a card in the result'
                when 'over_budget' then 'did not fit into the token budget'
                when 'not_visible' then 'the principal could not see them any more'
                else replace(w.rule, '_', ' ')
            end
        ),
        jsonb_build_object('rule', w.rule, 'cards', w.cards::integer)
    from jsonb_each_text(v_receipt.withheld) as w (rule, cards)
    where w.rule <> 'not_visible' or policy.has_role('operator')
    order by w.cards::integer desc, w.rule collate core.c_utf8;

    return query
    select
        'called',
        c.started_at,
        case when n.name is not null then c.rank end,
        n.name,
        null::real,
        c.outcome,
        c.duration_ms,
        case when n.name is null then 'This card no longer exists, or you may not see it.' else c.failure end,
        null::jsonb
    from selection.receipt_calls(array[v_receipt.id]) as c
    cross join lateral (
        select coalesce(
            (select x.name from search.card as x where x.kind = c.kind and x.ref = c.ref),
            (select i.public_name from catalog.item as i where i.kind = c.kind and i.id = c.ref)
        ) as name
    ) as n
    order by c.started_at, c.rank;
end
$function$;
comment on function api.show_receipt(bigint) is
'Shows a receipt (record of a search) as a table: what was asked, what the search offered, what it withheld and why, '
'what was called, and how the calls went. Example: `select s.part, s.rank, s.name, s.text from receipts as r, '
'show_receipt(r.receipt) as s limit 20;` '
'Argument receipt: number of the receipt. The column "part" says what a row is about. asked: the goal ("text"; null if '
'only its hash is stored), the principal ("name"), the time, the duration of the search in milliseconds, and in '
'"detail" the kind of card, the mode, the door, the id of the request and the duration of each stage. offered: a card '
'that the search returned, with its rank and score. withheld: how many of the found cards were not returned, and why '
'(unlikely, below_cut, redundant, over_budget; for operators and administrators also not_visible), and the cards that '
'have the same name and meaning as a returned card. called: a call that names the receipt, or that followed the '
'search, with its time, outcome, duration and error. Cards that the caller may not see now have no name. Users may see '
'their own receipts, and administrators may see all receipts. Raises QM404 receipt_not_found, also for a receipt that '
'the caller may not see. Can be null: at, rank, name, score, outcome, duration_ms, text.';
alter function api.show_receipt owner to qm_reader;
grant execute on function api.show_receipt to qm_user;
