-- t.make_assets: two origins that both have the resource memo://plan; one has a template and a prompt too.
create function t.make_assets() returns void language plpgsql as $$
begin
    perform t.make_origin('first'), t.make_origin('second');
    perform catalog.put_assets(catalog.origin_id('first'), 'resource', '[{"uri": "memo://plan", "name": "plan"}, {"uri": "memo://secret/key", "name": "key"}]');
    perform catalog.put_assets(catalog.origin_id('first'), 'resource_template', '[{"uriTemplate": "memo://page/{number}", "name": "page"}]');
    perform catalog.put_assets(catalog.origin_id('first'), 'prompt', '[{"name": "greet"}]');
    perform catalog.put_assets(catalog.origin_id('second'), 'resource', '[{"uri": "memo://plan", "name": "other plan"}]');
end
$$;
