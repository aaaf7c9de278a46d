-- search.coefficients: the weights of the learned score for a kind and the embedding model in use.
create or replace function search.coefficients(p_kind text)
returns table (intercept real, weights real[])
language sql
stable parallel safe security invoker
rows 1
set search_path = pg_catalog, pg_temp
as $function$
    select
        coalesce(max(c.weight) filter (where c.feature = 'intercept'), 0)::real,
        array(
            select coalesce(w.weight, 0)
            from unnest(search.feature_names()) with ordinality as f (name, position)
            left join search.coefficient as w on w.kind = p_kind and w.model = m.name and w.feature = f.name
            order by f.position
        )
    from search.model as m
    inner join search.coefficient as c on c.kind = p_kind and c.model = m.name
    where m.active
    group by m.name;
$function$;
comment on function search.coefficients(text) is 'Intercept and weights in the order of search.feature_names(); no row where nothing has been learned for the kind and the active model.';
grant execute on function search.coefficients to qm_user;
