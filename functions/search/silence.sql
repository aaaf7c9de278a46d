-- search.silence: with these weights, a switched-off channel has no effect on the score of any card. The other weights
-- are unchanged.
create or replace function search.silence(p_kind text, p_learned real[], p_weights real[])
returns real[]
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select array_agg(
        case when p_weights[array_position('{lexical,dense,fuzzy}', n.channel)] = 0 then 0 else n.learned end
        order by n.position
    )
    from search.kind as k
    inner join search.feature_set as s on s.name = k.feature_set
    cross join lateral rows from (
        unnest(p_learned), unnest(s.channels)
    ) with ordinality as n (learned, channel, position)
    where k.name = p_kind;
$function$;
comment on function search.silence(text, real[], real[]) is
'Sets the learned weights of switched-off channels to 0. (The channels are the searches by words, by meaning and by '
'name. A channel with the weight 0 is switched off.) Arguments: p_kind: kind of card; p_learned: learned weights, in '
'the order of the kind''s features; p_weights: weights of the three channels. Returns the changed learned weights.';
grant execute on function search.silence to qm_reader;
