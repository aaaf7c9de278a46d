-- api.search_lookup: at most one row is a match: the first, if its probability reaches the threshold and exceeds the
-- second row's probability by at least the gap. If the best row does not reach the threshold, nothing is returned.
create or replace function api.search_lookup(
    lookup text,
    query text,
    k_final integer default 20,
    k_fuzzy integer default 30,
    in_language text default null,
    active_only boolean default true,
    domain text default null,
    properties jsonb default null,
    strict boolean default false,
    threshold double precision default null,
    explain boolean default false,
    query_vector ext.vector default null,
    k_sem integer default 30
)
returns table (
    rank integer, id text, value text, name text, score real, match boolean, language text, active boolean, scores jsonb
)
language plpgsql
stable parallel unsafe security definer
rows 20
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_table_id constant integer := lookup.require_table(search_lookup.lookup);
begin
    perform core.require_between(
        'the number of candidates', search_lookup.k_sem, 1, 100, 'Ask for 1 to 100 candidates, or omit k_sem.'
    );
    perform lookup.refuse_query(lookup.query_problem(
        v_table_id,
        search_lookup.query,
        search_lookup.k_final,
        search_lookup.k_fuzzy,
        search_lookup.properties,
        search_lookup.threshold::real
    ));
    return query
    select a.rank, a.id, a.value, a.name, a.score, a.match, a.language, a.active, a.scores
    from lookup.answer(
        v_table_id,
        search_lookup.query,
        search_lookup.k_final,
        search_lookup.k_fuzzy,
        p_language => search_lookup.in_language,
        p_active_only => search_lookup.active_only,
        p_domain => search_lookup.domain,
        p_properties => search_lookup.properties,
        p_strict => search_lookup.strict,
        p_threshold => search_lookup.threshold::real,
        p_explain => search_lookup.explain,
        p_vector => search_lookup.query_vector,
        p_semantic => search_lookup.k_sem
    ) as a;
end
$function$;
comment on function api.search_lookup is
'Finds the rows of a lookup table to which a text may refer, best first. Example: `select l.name, s.value, s.score '
'from lookups as l, search_lookup(l.name, ''Berlin'') as s where l.rows > 0 limit 5;` Arguments: lookup: name of the '
'lookup table; query: text to look up (at most 1,000 characters); k_final: maximum number of rows (1 to 100); k_fuzzy: '
'number of candidates to find by trigrams (1 to 100); in_language: preferred language; active_only: true to return '
'only active rows; domain: return only rows in this domain; properties: properties that make a row more probable, as a '
'JSON object {name: value or list of values}; strict: true to exclude rows that do not have these properties; '
'threshold: lowest probability that a row may have (null: the threshold of the table; 0: return everything); explain: '
'true to explain the scores; query_vector: for tables with vectors, the unit vector of the query in the active model '
'(null: the database computes the vector, if the database has an embedding model); k_sem: number of candidates to find '
'by meaning (1 to 100). Returns for each row: rank; id: the id that was loaded; value; name: the value or alias that '
'matches best; score: probability that the query refers to this row (0 to 1); match: true for at most one row; '
'language; active; and scores: a JSON object with the scores trgm, cosine, alias, property and gap, and, for tables '
'with vectors, sem (null: the query has no vector). With explain, the object scores also contains two members. '
'features: the value of each feature, and what the feature adds to the learned score. vectors: off, compared, or query '
'not embedded. Raises QM404 unsupported_table, QM413 query_too_long, QM422 query_empty, property_unknown, '
'argument_invalid.';
alter function api.search_lookup owner to qm_reader;
grant execute on function api.search_lookup to qm_user;
