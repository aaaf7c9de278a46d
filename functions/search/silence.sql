-- search.silence: the weights of the learned score without channels whose fusion weight is 0: what such a channel tells of a card counts for
-- nothing, as for a card of which it tells nothing. The others keep the weights that were learned beside it.
-- Words of the goal in the names of tool and origin are words: they go with the lexical channel. The length of a text is no channel's.
create or replace function search.silence(p_learned real[], p_weights real[])
returns real[]
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select array_agg(case when c.weight = 0 then 0 else n.learned end order by n.position)
    from rows from (unnest(p_learned), unnest(search.feature_names())) with ordinality as n (learned, feature, position)
    cross join lateral (
        select case
            when n.feature ~ '^(lexical|name|origin)_' then p_weights[1]
            when n.feature ~ '^dense' then p_weights[2]
            when n.feature = 'fuzzy' then p_weights[3]
        end as weight
    ) as c;
$function$;
comment on function search.silence(real[], real[]) is
'Arguments: weights in the order of search.feature_names(); fusion weights of the lexical, dense and fuzzy channel. Returns the weights, 0 for the features of a channel whose own is 0.';
grant execute on function search.silence to qm_user;
