-- t.put_items: definitions of one kind, as one origin lists them.
create function t.put_items(p_kind text, p_origin text, p_definitions jsonb, p_by_hand boolean default true)
returns table (name text, public_name text, outcome text, reason text)
language sql as $$
    select p.*
    from (select array_agg(p_origin) as origins, array_agg(d.definition order by d.position) as definitions
          from jsonb_array_elements(p_definitions) with ordinality as d (definition, position)) as g
    cross join lateral catalog.put_items(p_kind, g.origins, g.definitions, p_by_hand) as p;
$$;

-- t.make_assets: two origins that both have the resource memo://plan; one has a template and a prompt too.
create function t.make_assets() returns void language plpgsql as $$
begin
    perform t.make_origin('first'), t.make_origin('second');
    perform t.put_items('resource', 'first', '[{"uri": "memo://plan", "name": "plan"}, {"uri": "memo://secret/key", "name": "key"}]');
    perform t.put_items('resource_template', 'first', '[{"uriTemplate": "memo://page/{number}", "name": "page"}]');
    perform t.put_items('prompt', 'first', '[{"name": "greet"}]');
    perform t.put_items('resource', 'second', '[{"uri": "memo://plan", "name": "other plan"}]');
end
$$;

-- t.put_tools: tools, each with the name of its origin.
create function t.put_tools(p_tools jsonb, p_by_hand boolean default true)
returns table (name text, public_name text, outcome text, reason text)
language sql as $$
    select p.*
    from (
        select
            array_agg(e.tool ->> 'origin' order by e.position) as origins,
            array_agg(case when jsonb_typeof(e.tool) = 'object' then e.tool - 'origin' else e.tool end order by e.position) as definitions
        from jsonb_array_elements(p_tools) with ordinality as e (tool, position)
    ) as g
    cross join lateral catalog.put_items('tool', g.origins, g.definitions, p_by_hand) as p;
$$;
