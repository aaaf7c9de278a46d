-- A search may have a scope, which is a part of the key of its pool. What else this migration made has moved to the kind
-- knowledge (moved.txt).

-- squawk-ignore-file ban-drop-function
-- The signature changes.
drop function if exists api.find_cards(text, text, text[], ext.vector);
drop function if exists api.remember_cards(text, jsonb, text, text, ext.vector);
drop function if exists api.rerank_candidates(text, text, text[], ext.vector);
drop function if exists api.search_cards(
    text, text[], text, integer, ext.vector, text, jsonb, integer, boolean
);
drop function if exists selection.find_pool(text, text, ext.vector, selection.mode);
drop function if exists selection.pool_key(text, text, ext.vector, selection.mode);
