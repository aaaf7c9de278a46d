-- search.create_words_index: creates the BM25 index of pg_search over all cards, if the server has the extension
-- (capability pg_search).
-- A table can have only one such index, so it covers every kind. EXECUTE is needed because the access method exists
-- only with the extension. Creates an index.
create or replace function search.create_words_index()
returns boolean
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
begin
    if not core.has_capability('pg_search') then
        return false;
    end if;
    execute 'create index if not exists card_words_idx on search.card using bm25 ('
        'id, (kind::pdb.literal), (name::pdb.simple(''stemmer=english'')), (origin::pdb.simple(''stemmer=english'')), '
        '(embedding_text::pdb.simple(''stemmer=english''))'
        ') with (key_field = ''id'')';
    return true;
end
$function$;
comment on function search.create_words_index() is
'Creates the index of pg_search if it is missing. Returns whether the server has pg_search.';
