create or replace function knowledge.find_domain(p_name text)
returns text
language plpgsql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_word constant text := search.fold_label(p_name);
    v_domain text;
begin
    select d.name
    into v_domain
    from knowledge.domain as d
    where lower(d.name) = v_word or v_word = any(d.aliases);
    if v_domain is null then
        perform core.fail(
            'domain_not_found',
            format('there is no domain called %L', left(p_name, 100)),
            null,
            format(
                'Use one of these: %s.', (select string_agg(d.name, ', ' order by d.name) from knowledge.domain as d)
            )
        );
    end if;
    return v_domain;
end
$function$;
comment on function knowledge.find_domain(text) is
'Finds a domain. Argument p_name: name of the domain, or another word for the domain; case, hyphens and underscores do '
'not matter. Returns the name of the domain. Raises QM404 domain_not_found.';
grant execute on function knowledge.find_domain to qm_reader;
