-- api.store_distributions: public objects get cards, so they can be looked up immediately (knowledge.put_distribution).
-- One call with several distributions costs less than several calls, because documents are weighed again when their
-- number doubles or their average length changes.
-- Writes: knowledge.distribution, environment_distribution, symbol, symbol_path, policy.audience, search.card.
create or replace function api.store_distributions(environment bigint, distributions jsonb)
returns bytea[]
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_environment constant knowledge.environment := knowledge.writable_environment(store_distributions.environment);
    v_given jsonb;
    v_stored record;
    v_contents bytea[] := array[]::bytea[];
    v_cards jsonb := jsonb_build_array();
begin
    if jsonb_typeof(store_distributions.distributions) is distinct from 'array' then
        perform core.fail('argument_invalid', 'the distributions must be an array');
    end if;
    -- Locks are taken in the same order everywhere: project, environment, kind.
    perform from knowledge.environment as e where e.id = v_environment.id for key share;
    perform search.lock_kind('symbol');
    -- The JSON is read where it is stored, so its shape is found out there.
    begin
        for v_given in select d.value from jsonb_array_elements(store_distributions.distributions) as d loop
            select * into v_stored from knowledge.put_distribution(v_environment, v_given);
            v_contents := v_contents || v_stored.content;
            continue when not v_stored.is_new;
            v_cards := v_cards || coalesce(
                (
                    select
                        jsonb_agg(
                            jsonb_build_object(
                                'ref', s.id,
                                'name', s.path,
                                'origin', d.name,
                                'label', lower(regexp_replace(s.path, '^.*\.', '')),
                                'brief', knowledge.brief_signature(s.signature),
                                'fields', g.fields,
                                'embedding_text', g.embedding_text,
                                'tokens', ceil(length(s.signature || s.passage) / 4.0),
                                'audience', d.audience_id
                            )
                        )
                    from jsonb_to_recordset(v_given -> 'symbols') as g (path text, fields jsonb, embedding_text text)
                    inner join knowledge.distribution as d on d.id = v_stored.id
                    inner join knowledge.symbol as s on s.distribution_id = d.id and s.path = g.path
                    where s.is_public
                ),
                '[]'
            );
        end loop;
        perform search.put_cards('symbol', v_cards);
    exception when data_exception or not_null_violation or check_violation then
        perform core.fail(
            'argument_invalid',
            'the distributions cannot be stored, because one has a member of a wrong type',
            sqlerrm,
            'The comment of api.store_distributions names the members.'
        );
    end;
    return v_contents;
end
$function$;
comment on function api.store_distributions(bigint, jsonb) is
'Stores the objects of distributions. Arguments: environment: id from put_environment of the environment that contains '
'the distributions; distributions: JSON array of {name, version, digest, modules, summary, unread, symbols}. The '
'member digest is the SHA-256 of the files in hexadecimal. The member modules contains the names under which programs '
'import the distribution. The member unread says what could not be read. The member symbols contains the objects. Each '
'symbol is {path, paths, kind, signature, file, line, passage, parameters, deprecated, is_async, is_public, priors, '
'fields, embedding_text}. Texts are stored as they are: remove secrets first, or use qm docs index, which replaces '
'them. Returns for each distribution, in the given order, a digest of its content, which put_environment takes. Raises '
'QM403 principal_unknown, QM404 environment_not_found, QM422 argument_invalid.';
grant execute on function api.store_distributions to qm_operator;
