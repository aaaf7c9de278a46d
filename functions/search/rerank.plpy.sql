-- search.rerank: scores texts with a cross-encoder inside the database.
-- The model is loaded once for each connection and stays in GD. Nobody chooses its folder in a call, because a model is
-- a program. It is installed only with PL/Python; otherwise the service reranks.
create or replace function search.rerank(p_query text, p_texts text[])
returns real[]
language plpython3u
stable parallel restricted security invoker
set search_path = pg_catalog, pg_temp
as $python$
from quartermaster_db.reranking import rerank_cached

[row] = plpy.execute("select core.get_setting('reranker.directory') #>> '{}' as directory")
return rerank_cached(GD, row["directory"], p_query, p_texts)
$python$;
comment on function search.rerank(text, text[]) is
'Returns one score for each text by the model in the folder reranker.directory (a setting) on the database server; a '
'higher score is better. Arguments: p_query: the query; p_texts: texts to score.';
revoke all on function search.rerank from public;
grant execute on function search.rerank to qm_reader;
