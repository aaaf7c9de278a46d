-- search.rerank: the model is loaded once for each connection and stays in the global dictionary GD of PL/Python. The
-- function is installed only if the server has PL/Python; otherwise the service reranks. Only the owner may execute it,
-- because the caller chooses the folder whose files the server loads.
create or replace function search.rerank(p_query text, p_texts text[], p_directory text)
returns real[]
language plpython3u
stable parallel restricted security invoker
set search_path = pg_catalog, pg_temp
as $python$
from quartermaster_db.reranking import rerank_cached

return rerank_cached(GD, p_directory, p_query, p_texts)
$python$;
comment on function search.rerank(text, text[], text) is
'Computes how well texts match a query, with a reranker model in the database. Arguments: p_query: the query; p_texts: '
'the texts; p_directory: folder of the model on the database server (setting reranker.directory). Returns one score '
'for each text. A higher score is better.';
revoke all on function search.rerank from public;
