-- Rows for tests, made by the functions that make them in production. Call them as the superuser.
create function t.make_principal(p_name text, p_role text default 'user') returns bigint
language sql as $$
    select policy.put_principal(p_name, 'agent', p_role);
$$;

create function t.make_origin(p_name text, p_transport text default 'stdio') returns bigint
language sql as $$
    select catalog.put_origin(
        p_name, 'made for a test', p_transport, case p_transport when 'stdio' then array['true'] end,
        case when p_transport in ('http', 'sse') then 'http://127.0.0.1:1/mcp' end, null, '{}', '{}', null, '{}', '{}', false
    );
$$;

-- Tools, each with the name of its origin, in one batch, which takes little longer than one tool. None may be rejected.
create function t.make_all_tools(p_tools jsonb) returns void
language plpgsql as $$
declare
    v_rejected text;
begin
    select string_agg(p.name || ': ' || p.reason, ', ') into v_rejected from t.put_tools(p_tools) as p where p.outcome = 'rejected';
    if v_rejected is not null then
        raise exception 'tools were rejected: %', v_rejected using errcode = 'data_exception';
    end if;
end
$$;

-- One tool of an origin that is there; returns its id.
create function t.make_tool(
    p_origin text, p_name text, p_description text default 'Made for a test.', p_input_schema jsonb default '{"type": "object"}'
) returns bigint
language plpgsql as $$
begin
    perform t.make_all_tools(
        jsonb_build_array(jsonb_build_object('origin', p_origin, 'name', p_name, 'description', p_description, 'input_schema', p_input_schema))
    );
    return (
        select i.id from catalog.item as i inner join catalog.origin as o on o.id = i.origin_id
        where i.kind = 'tool' and o.name = p_origin and i.name = p_name
    );
end
$$;

-- Tools of names only.
create function t.make_tools(p_origin text, variadic p_names text []) returns void
language sql as $$
    select t.make_all_tools(jsonb_agg(
        jsonb_build_object('origin', p_origin, 'name', n.name, 'description', 'Made for a test.', 'input_schema', '{"type": "object"}'::jsonb)
    ))
    from unnest(p_names) as n (name);
$$;

-- The catalog that most tests look at: four tools of two origins. Of its cards, that of convert_time is the first.
create function t.make_catalog() returns void
language plpgsql as $$
begin
    perform t.make_origin('time'), t.make_origin('tracker');
    perform t.make_all_tools('[
        {"origin": "time", "name": "get_current_time", "description": "Get the current time in a timezone. Uses the clock of the server.",
         "input_schema": {"type": "object", "properties": {"timezone": {"type": "string", "description": "IANA timezone name, such as Asia/Tokyo"}}, "required": ["timezone"]}},
        {"origin": "time", "name": "convert_time", "description": "Convert a time between timezones.", "input_schema": {"type": "object"}},
        {"origin": "tracker", "name": "create_ticket", "description": "Open a ticket for a bug or a failing test.", "input_schema": {"type": "object"}},
        {"origin": "tracker", "name": "listTickets", "description": "Find tickets by words, state or owner.", "input_schema": {"type": "object"}}
    ]');
end
$$;

-- A throw-away kind of card.
create function t.make_kind(p_name text, p_field_weights real [] default '{2, 1, 1, 0.5}') returns void
language sql as $$
    select search.put_kind(p_name, 'made for a test', p_field_weights);
$$;

-- One card; returns its id.
create function t.make_card(p_kind text, p_ref bigint, p_name text, variadic p_fields text []) returns bigint
language plpgsql as $$
begin
    perform search.put_cards(
        p_kind, jsonb_build_array(jsonb_build_object('ref', p_ref, 'name', p_name, 'fields', to_jsonb(p_fields)))
    );
    return (select c.id from search.card as c where c.kind = p_kind and c.ref = p_ref);
end
$$;

-- What a card is, for answers that keep their order: a join might not.
create function t.ref_of(p_card_id bigint) returns bigint
language sql stable as $$
    select c.ref from search.card as c where c.id = p_card_id;
$$;
create function t.name_of(p_card_id bigint) returns text
language sql stable as $$
    select c.name from search.card as c where c.id = p_card_id;
$$;

-- A unit vector of so many dimensions that points at one of them, and a little at the next.
create function t.unit_vector(p_dimension integer, p_axis integer, p_lean real default 0) returns ext.vector
language sql as $$
    select ext.l2_normalize(
        array_agg(
            case when i = p_axis then 1 when i = p_axis % p_dimension + 1 then p_lean else 0 end::real order by i
        )::ext.vector
    )
    from generate_series(1, p_dimension) as i;
$$;

-- A vector for each text of a kind that has none, spread over the axes in the order of the cards.
create function t.embed_cards(p_kind text, p_model text) returns integer
language sql as $$
    select search.store_embeddings(
        p_model, array_agg(p_kind), array_agg(u.text_hash),
        array_agg(t.unit_vector(u.dimension, ((u.position - 1) % u.dimension + 1)::integer)::text)
    )
    from (
        select c.text_hash, m.dimension, row_number() over (order by min(c.id)) as position
        from search.card as c
        cross join search.model as m
        where c.kind = p_kind and m.name = p_model
        group by c.text_hash, m.dimension
    ) as u;
$$;
