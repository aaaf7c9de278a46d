-- search.embed: computes the vector of a goal inside the database, so that psql can search by meaning without the
-- service.
-- The model is loaded once for each connection (about 0.3 s) and stays in GD. It is installed only with PL/Python;
-- otherwise the service embeds. Only the owner runs it, because whoever names the folder chooses what is loaded into
-- the server.
create or replace function search.embed(p_text text, p_directory text)
returns text
language plpython3u
stable parallel restricted security invoker
set search_path = pg_catalog, pg_temp
as $python$
from quartermaster_db.embedding import embed_cached

return embed_cached(GD, p_directory, p_text)
$python$;
comment on function search.embed(text, text) is
'Returns the vector literal of a text. Arguments: p_text: the text; p_directory: folder of the model on the database '
'server (setting embedding.directory).';
revoke all on function search.embed from public;
