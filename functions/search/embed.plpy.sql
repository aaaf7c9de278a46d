-- search.embed: computes the vector of a goal inside the database, so that psql can search by meaning without the
-- service.
-- The model is loaded once for each connection (about 0.3 s) and stays in the global dictionary GD of PL/Python. The
-- function is installed only if the server has PL/Python; otherwise the service computes the vectors. Only the owner
-- may execute it, because the folder decides what is loaded into the server.
create or replace function search.embed(p_text text, p_directory text, p_is_name boolean)
returns text
language plpython3u
stable parallel restricted security invoker
set search_path = pg_catalog, pg_temp
as $python$
from quartermaster_db.embedding import embed_cached

return embed_cached(GD, p_directory, p_text, p_is_name)
$python$;
comment on function search.embed(text, text, boolean) is
'Computes the vector of a text in the database. Arguments: p_text: the text; p_directory: folder of the model on the '
'database server (setting embedding.directory); p_is_name: whether the text is a name to look up, which stays as it '
'is, or a goal (a goal in another language is put into English, word by word, if the model reads only English). '
'Returns the vector as a literal, such as [0.1,0.2].';
revoke all on function search.embed from public;
