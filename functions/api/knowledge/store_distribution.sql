-- api.store_distribution: stores a distribution that an environment holds, with all its objects, and makes cards of the
-- public ones, which can be looked up at once. If exactly the same was read before, it is stored once.
-- Cards belong to the audience of the distribution: the members of the projects whose environment holds it
-- (knowledge.share), or everybody. A distribution is known by all that was read, not by the digest that the caller tells:
-- so a copy that was tampered with, or a reader that lies, serves nobody else.
-- The function runs with the rights of its owner (security definer), because only functions may write cards and audiences.
-- Raises: QM403 principal_unknown, QM404 environment_not_found, QM422 argument_invalid.
-- Writes: knowledge.distribution, environment_distribution, symbol, symbol_path, policy.audience, search.card.
create or replace function api.store_distribution(
    environment bigint, name text, version text, digest bytea, modules text[], summary text, unread text[], symbols jsonb
)
returns bytea
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_id bigint;
    v_audience integer;
    v_name constant text := knowledge.library_name(store_distribution.name);
    v_environment constant knowledge.environment := knowledge.writable_environment(store_distribution.environment);
    v_content bytea;
begin
    if jsonb_typeof(store_distribution.symbols) is distinct from 'array' or length(store_distribution.digest) <> 32 then
        perform core.fail('argument_invalid', 'a distribution needs a digest of 32 bytes and an array of symbols');
    end if;
    v_content := sha256(
        store_distribution.digest || convert_to(
            jsonb_build_array(
                v_name, store_distribution.version, store_distribution.modules, store_distribution.summary, store_distribution.unread,
                store_distribution.symbols
            )::text, 'UTF8'
        )
    );
    select d.id into v_id from knowledge.distribution as d where d.content = v_content;
    if v_id is not null then
        insert into knowledge.environment_distribution (environment_id, distribution_id)
        values (v_environment.id, v_id)
        on conflict do nothing;
        perform knowledge.share(array[v_id]);
        return v_content;
    end if;
    if v_environment.project_id is not null then
        insert into policy.audience (name, created_at)
        values (format('documentation of %s %s', v_name, store_distribution.version), core.now())
        returning id into v_audience;
    end if;
    insert into knowledge.distribution (
        name, version, digest, content, modules, summary, objects, unread, audience_id, indexed_at
    )
    values (
        v_name, store_distribution.version, store_distribution.digest, v_content, store_distribution.modules,
        store_distribution.summary, jsonb_array_length(store_distribution.symbols), store_distribution.unread, v_audience, core.now()
    )
    returning id into v_id;
    insert into knowledge.environment_distribution (environment_id, distribution_id) values (v_environment.id, v_id);
    perform knowledge.share(array[v_id]);

    insert into knowledge.symbol (
        distribution_id, path, kind, signature, file, line, passage, parameters, deprecated, is_async, is_public, priors
    )
    select
        v_id, s.path, s.kind, s.signature, s.file, s.line, s.passage, s.parameters, s.deprecated, s.is_async, s.is_public, s.priors
    from jsonb_to_recordset(store_distribution.symbols) as s (
        path text, kind text, signature text, file text, line integer, passage text, parameters text[], deprecated text,
        is_async boolean, is_public boolean, priors real[]
    )
    on conflict on constraint symbol_path_key do nothing;
    insert into knowledge.symbol_path (distribution_id, path, symbol_id)
    select v_id, p.path, s.id
    from jsonb_to_recordset(store_distribution.symbols) as g (path text, paths text[])
    inner join knowledge.symbol as s on s.distribution_id = v_id and s.path = g.path
    cross join unnest(g.paths) as p (path)
    on conflict do nothing;

    perform search.put_cards(
        'symbol',
        coalesce(
            jsonb_agg(
                jsonb_build_object(
                    'ref', s.id, 'name', s.path, 'origin', v_name, 'label', lower(regexp_replace(s.path, '^.*\.', '')), 'brief',
                    left(s.signature, 200), 'fields', g.fields, 'embedding_text', g.embedding_text, 'tokens',
                    ceil(length(s.signature || s.passage) / 4.0), 'audience', v_audience
                )
            ), '[]'
        )
    )
    from jsonb_to_recordset(store_distribution.symbols) as g (path text, fields jsonb, embedding_text text)
    inner join knowledge.symbol as s on s.distribution_id = v_id and s.path = g.path
    where s.is_public;
    return v_content;
end
$function$;
comment on function api.store_distribution(bigint, text, text, bytea, text[], text, text[], jsonb) is
'Stores the objects of a distribution. Arguments: environment: id of the environment that holds it, from '
'put_environment; name and version of the distribution; digest: SHA-256 of its files; '
'modules: names under which programs import it; summary: what it is for; unread: what could not be read; symbols: '
'[{path, paths, kind, signature, file, line, passage, parameters, deprecated, is_async, is_public, priors, fields, '
'embedding_text}]. Returns the digest of all that was read, for put_environment.';
grant execute on function api.store_distribution to qm_operator;
