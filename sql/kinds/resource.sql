-- Registers the kind resource: resources of MCP servers, which their URI at the origin names.
select search.put_kind(
    'resource', 'Resources of MCP servers, by their URI at the origin',
    p_card_function => 'catalog.asset_card', p_describe_function => 'catalog.describe_item',
    p_texts_function => 'catalog.asset_texts',
    p_core_function => 'catalog.asset_core', p_version_function => 'catalog.asset_core',
    p_availability_function => 'catalog.item_availability',
    p_not_found => 'asset_not_found',
    p_name_member => 'uri', p_naming => 'own'
);
