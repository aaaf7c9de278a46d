-- Registers the kind prompt: prompts of MCP servers.
select search.put_kind(
    'prompt', 'Prompts of MCP servers',
    p_card_function => 'catalog.asset_card', p_describe_function => 'catalog.describe_item',
    p_texts_function => 'catalog.asset_texts',
    p_core_function => 'catalog.asset_core', p_version_function => 'catalog.asset_core',
    p_availability_function => 'catalog.item_availability',
    p_not_found => 'asset_not_found',
    p_name_member => 'name', p_naming => 'callable'
);
