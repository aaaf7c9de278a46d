-- search.embed: with this function, a search in psql can use meaning even without the service. The model is loaded once
-- for each connection (about 0.3 s) and stays in the global dictionary GD of PL/Python. The function is installed only
-- if the server has PL/Python; otherwise the service computes the vectors. Only the owner may execute it, because the
-- caller chooses the folder whose files the server loads.
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
'database server (setting embedding.directory); p_is_name: true if the text is a name to look up, false if it is a '
'goal. If the model reads only English, a goal in another language is first translated word by word; a name is not. '
'Returns the vector as a literal, such as [0.1,0.2].';
revoke all on function search.embed from public;
