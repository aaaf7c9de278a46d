-- api.lookup_symbols: without a topic, it finds the most important objects. knowledge.read_topic decides whether a
-- topic is the name of an object, a text to search for, or both. If the topic looks like a name but no object has this
-- name, the objects with the most similar names (knowledge.near_symbols) are returned in addition to the results of a
-- search. The score of such an object is its similarity.
-- With for_comparison, the caller has a model that puts the first objects into a new order (api.rerank_symbols). The
-- setting symbols.compared says how many objects the model compares; at least this number is returned. If the topic
-- begins with the name of an object, this object stays first.
-- While objects of the library have no vector, their scores are too low. These objects are counted, because the result
-- of a search may still change (knowledge.count_waiting). An object without a vector comes first if the topic mentions
-- its name.
-- The project is found as in all calls about a project: by its name, by the folder, or as the caller's only project
-- (projects.find_meant). In a project with an environment of its own, only the packages of this environment are
-- searched (knowledge.require_library).
create or replace function api.lookup_symbols(
    library text,
    topic text default null,
    top integer default 10,
    query_vector ext.vector default null,
    folder text default null,
    project text default null,
    for_comparison boolean default false,
    wanted_version text default null
)
returns table (
    name text, kind text, signature text, file text, line integer, passage text, score real, paths text[],
    deprecated text, distribution text, version text, text text, waiting bigint, is_near_miss boolean,
    has_topic boolean
)
language plpgsql
volatile parallel unsafe security definer
rows 10
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_found record;
    v_read record; -- what the topic says
    v_vector ext.vector := lookup_symbols.query_vector;
    v_project_id constant integer := projects.find_meant(lookup_symbols.project);
    v_topic constant text := nullif(btrim(lookup_symbols.topic), '');
    v_compared integer := 0;
    v_top integer := lookup_symbols.top;
begin
    perform policy.require_principal();
    perform core.require_between('the number of objects', lookup_symbols.top, 1, 100, 'Ask for 1 to 100 objects.');
    if v_topic is not null then
        perform selection.require_goal(v_topic, 'topic');
    end if;
    select * into v_found from knowledge.require_library(
        lookup_symbols.library, lookup_symbols.folder, v_project_id, lookup_symbols.wanted_version
    );
    select * into v_read from knowledge.read_topic(v_found.id, v_topic);
    if lookup_symbols.for_comparison and v_read.may_compare then
        v_compared := (core.get_setting('symbols.compared'))::integer;
        v_top := greatest(v_top, v_compared);
    end if;
    if v_read.is_searched and v_vector is null then
        v_vector := search.embed_goal(v_topic);
    end if;
    return query
    with named as ( -- before all others; the caller is told 1
        select n.id, 3 - 0.01 * n.place as score from unnest(v_read.named) with ordinality as n (id, place)
    ),

    near as (
        select n.id, n.likeness - 0.001 * n.place as score
        from knowledge.near_symbols(v_found.id, v_topic) with ordinality as n (id, likeness, place)
        where v_read.is_near
    ),

    important as ( -- of the members of what has the name; without a topic, of all objects
        select s.id, 1 / (1 + exp(-(s.priors[1] + 2 * s.priors[2] - s.priors[3]))) as score
        from knowledge.symbol as s
        where not v_read.is_searched
            and s.distribution_id = v_found.id
            and s.is_public
            and (
                v_topic is null
                or starts_with(
                    s.path, (select o.path || '.' from knowledge.symbol as o where o.id = v_read.named[1])
                )
            )
        order by 2 desc, s.id
        limit v_top
    ),

    found as (
        select c.ref as id, f.score + case when n.is_first then 1 else 0 end::double precision as score
        from search.search(
            'symbol',
            v_topic,
            v_vector,
            32,
            32,
            16,
            100,
            '{1, 1, 1}',
            'learned',
            jsonb_build_object('distributions', jsonb_build_array(v_found.id)),
            (select k.score from search.coefficients('symbol', array['default']) as k)
        ) as f
        inner join search.card as c on c.id = f.card_id
        cross join lateral (
            select
                exists (
                    select
                    from unnest(v_read.mentioned) as m (name)
                    where '.' || m.name = right('.' || c.name, length(m.name) + 1)
                )
                and not knowledge.has_vector(c.text_hash) as is_first
        ) as n
        where v_read.is_searched
        order by 2 desc, f.card_id
        limit v_top
    ),

    best as (
        select b.id, max(b.score) as score
        from (
            select n.id, n.score
            from named as n
            union all
            select n.id, n.score
            from near as n
            union all
            select i.id, i.score
            from important as i
            union all
            select f.id, f.score
            from found as f
        ) as b
        group by b.id
        order by 2 desc, 1
        limit v_top
    )

    select
        s.path,
        s.kind,
        s.signature,
        s.file,
        s.line,
        s.passage,
        least(b.score, 1)::real,
        array(select p.path from knowledge.symbol_path as p where p.symbol_id = s.id order by p.path),
        nullif(s.deprecated, ''),
        v_found.name,
        v_found.version,
        case when b.place <= v_compared and b.places > 1 then coalesce(c.embedding_text, s.signature) end,
        coalesce(
            (select knowledge.count_waiting(v_found.id) where v_vector is not null and exists (select from found)), 0
        ),
        v_found.fit < 2,
        coalesce(knowledge.has_words(s.path, v_topic), false)
    from (
        select x.*, row_number() over (order by x.score desc, x.id) as place, count(*) over () as places
        from best as x
    ) as b
    -- One look at the index for each: a join would read all symbols.
    cross join lateral (select x.* from knowledge.symbol as x where x.id = b.id limit 1) as s
    left join search.card as c on c.kind = 'symbol' and c.ref = s.id
    order by b.score desc, s.id;
end
$function$;
comment on function api.lookup_symbols(text, text, integer, ext.vector, text, text, boolean, text) is
'Finds the objects of an installed library. Arguments: library: name of the distribution, or of a module in the '
'distribution; topic: a question, words or a name (null: return the most important objects); top: maximum number of '
'objects; query_vector: unit vector of the topic (null: the database computes the vector, if the database has an '
'embedding model); folder: package folder whose version of the library is used, if several versions are indexed; '
'project: NAME or OWNER/NAME of the project whose installed packages are searched (null: the project of the folder, or '
'else your only project; if there is neither, the newest versions that the caller may see); for_comparison: true to '
'return all objects that a reranker model should compare with the topic (see api.rerank_symbols); wanted_version: '
'version of the library to search, if it is installed (null: the newest version). Returns the objects, best first, '
'each with its signature, file, line, documentation and score, and the text that the reranker model reads (null '
'without for_comparison). Three columns describe the search. waiting: number of objects of the library that have no '
'vector yet, at most 1000 (0 if nothing was compared by meaning). is_near_miss: true if no library has the given name, '
'so that the library with the most similar name was searched. has_topic: true if the name of the object contains all '
'words of the topic, in any form. Raises QM404 library_not_found, library_not_installed, project_not_found, QM409 '
'project_ambiguous, QM403 principal_unknown, QM413 goal_too_long, QM422 argument_invalid. Can be null: deprecated, '
'text.';
alter function api.lookup_symbols owner to qm_reader;
grant execute on function api.lookup_symbols to qm_user;
