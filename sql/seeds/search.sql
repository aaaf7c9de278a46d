-- The first kind of card.
select search.put_kind('tool', 'Tools of MCP servers', array[2, 1, 1, 0.5]::real[]);
