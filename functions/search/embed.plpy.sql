-- search.embed: the goal's vector, computed inside the database, so that psql alone searches by meaning.
-- The model is loaded once a connection (about 0.3 s) and kept in GD. Applied where PL/Python is there; elsewhere the service embeds.
create or replace function search.embed(p_text text, p_directory text)
returns text
language plpython3u
stable parallel restricted security invoker
set search_path = pg_catalog, pg_temp
as $python$
from quartermaster_db.embedding import embed_cached

return embed_cached(GD, p_directory, p_text)
$python$;
comment on function search.embed(text, text) is 'Vector literal of a text. Arguments: text, folder of the model on the database server (setting embedding.directory).';
revoke all on function search.embed from public;
grant execute on function search.embed to qm_user;
