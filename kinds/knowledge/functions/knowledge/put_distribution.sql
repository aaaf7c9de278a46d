-- knowledge.put_distribution: a distribution that was read several times with exactly the same result is stored once.
-- It is identified by a hash of its whole content, and not by the digest that the caller gives. A caller that sends
-- wrong or modified content can therefore not change the content that others see. The cards of a distribution are
-- visible to the members of the projects whose environments contain it (knowledge.share), or to everybody.
-- Writes: knowledge.distribution, environment_distribution, symbol, symbol_path, policy.audience, search.card.
create or replace function knowledge.put_distribution(
    p_environment knowledge.environment, p_distribution jsonb, out id bigint, out content bytea, out is_new boolean
)
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_given record;
    v_symbols constant jsonb := p_distribution -> 'symbols';
    v_name text;
    v_refused text;
begin
    select *
    into v_given
    from jsonb_to_record(p_distribution) as d (
        name text, version text, digest text, modules text[], summary text, unread text[]
    );
    if coalesce(v_given.name, '') = ''
        or v_given.version is null
        or v_given.modules is null
        or array_ndims(v_given.modules) > 1
        or array_ndims(v_given.unread) > 1
        or coalesce(v_given.digest, '') !~ '^[0-9a-f]{64}$'
        or jsonb_typeof(v_symbols) is distinct from 'array'
        or length(v_given.name) > 200
        or length(v_given.version) > 100
        or coalesce((select max(length(m.name)) from unnest(v_given.modules) as m (name)), 0) > 200
        or concat(v_given.name, v_given.version, array_to_string(v_given.modules, ''))
            ~ '[[:cntrl:]]' collate core.c_utf8
    then
        perform core.fail(
            'argument_invalid',
            'a distribution needs a name, a version, modules, a digest of 64 hexadecimal digits and an array of '
            'symbols',
            null,
            'A name may have at most 200 characters, a version at most 100, both without control characters.'
        );
    end if;
    select s.path
    into v_refused
    from jsonb_to_recordset(v_symbols) as s (path text, paths text[], file text, parameters text[], priors real[])
    where (
        coalesce(array_ndims(s.paths), 1) = 1
        and coalesce(array_ndims(s.parameters), 1) = 1
        and array_ndims(s.priors) = 1
        and octet_length(s.path) <= 2000
        and octet_length(s.file) <= 4000
        and coalesce((select max(octet_length(p.path)) from unnest(s.paths) as p (path)), 0) <= 2000
        and concat(s.path, s.file, array_to_string(s.paths || s.parameters, '')) !~ '[[:cntrl:]]' collate core.c_utf8
        and cardinality(s.priors) = 15
        and not s.priors && '{NaN,Infinity,-Infinity}'::real[]
        and array_position(s.priors, null) is null
    ) is not true
    limit 1;
    if found then
        perform core.fail(
            'argument_invalid',
            format(
                'the object %L of the distribution %L cannot be stored', left(v_refused, 100), left(v_given.name, 100)
            ),
            null,
            'A path may have at most 2,000 bytes, and a name no control characters. Each object needs 15 priors '
            '(numbers from which searches compute its rank).'
        );
    end if;
    v_name := knowledge.library_name(v_given.name);
    content := sha256(convert_to((p_distribution || jsonb_build_object('name', v_name))::text, 'UTF8'));
    select d.id into id from knowledge.distribution as d where d.content = put_distribution.content;
    is_new := id is null;
    if is_new then
        insert into knowledge.distribution as d (
            name, version, digest, content, modules, summary, objects, unread, indexed_at
        )
        values (
            v_name,
            v_given.version,
            decode(v_given.digest, 'hex'),
            content,
            v_given.modules,
            coalesce(v_given.summary, ''),
            jsonb_array_length(v_symbols),
            coalesce(v_given.unread, '{}'),
            core.now()
        )
        returning d.id into id;
        insert into knowledge.symbol (
            distribution_id, path, kind, signature, file, line, passage, parameters, deprecated, is_async, is_public,
            priors
        )
        select
            put_distribution.id,
            s.path,
            s.kind,
            s.signature,
            s.file,
            s.line,
            s.passage,
            s.parameters,
            s.deprecated,
            s.is_async,
            s.is_public,
            -- A larger one would overflow the sum of each search that finds the object.
            array(
                select greatest(-20, least(20, u.prior))
                from unnest(s.priors) with ordinality as u (prior, place)
                order by u.place
            )
        from jsonb_to_recordset(v_symbols) as s (
            path text,
            kind text,
            signature text,
            file text,
            line integer,
            passage text,
            parameters text[],
            deprecated text,
            is_async boolean,
            is_public boolean,
            priors real[]
        )
        on conflict on constraint symbol_path_key do nothing;
        insert into knowledge.symbol_path (distribution_id, path, symbol_id)
        select put_distribution.id, p.path, s.id
        from jsonb_to_recordset(v_symbols) as g (path text, paths text[])
        inner join knowledge.symbol as s on s.distribution_id = put_distribution.id and s.path = g.path
        cross join unnest(g.paths) as p (path)
        on conflict do nothing;
    end if;
    insert into knowledge.environment_distribution (environment_id, distribution_id)
    values (p_environment.id, put_distribution.id)
    on conflict do nothing;
    perform knowledge.share(array[put_distribution.id]);
end
$function$;
comment on function knowledge.put_distribution(knowledge.environment, jsonb) is
'Stores a distribution with its objects. Arguments: p_environment: an environment that contains the distribution; '
'p_distribution: the distribution as JSON, as in api.store_distributions. Returns the id of the distribution, a digest '
'of the distribution''s content, and true if the distribution is new. Raises QM422 argument_invalid.';
