-- search.embed: computes the vector of a goal inside the database, so that psql can search by meaning without the
-- service.
-- The model is loaded once for each connection (about 0.3 s) and stays in GD. Nobody chooses its folder in a call,
-- because a model is a program. The text is cut first, because no time limit ends the tokenizer. It is installed only
-- with PL/Python; otherwise the service embeds.
create or replace function search.embed(p_text text)
returns text
language plpython3u
stable parallel restricted security invoker
set search_path = pg_catalog, pg_temp
as $python$
from quartermaster_db.embedding import embed_cached

[row] = plpy.execute("select core.get_setting('embedding.directory') #>> '{}' as directory")
return embed_cached(GD, row["directory"], p_text[:20000])
$python$;
comment on function search.embed(text) is
'Argument p_text: the text; only its first 20,000 characters are read. Returns its vector literal by the model in the '
'folder embedding.directory (a setting) on the database server.';
revoke all on function search.embed from public;
grant execute on function search.embed to qm_reader;
