-- knowledge.domains_of_card: the function searches for passages with the text of the card. The score of a domain is the
-- sum of the fourth powers of its passages' scores, so that the best passages count most. The function returns the
-- domain with the highest score, and every domain with at least half of this score.
create or replace function knowledge.domains_of_card(p_kind text, p_ref bigint)
returns text[]
language sql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
    with vote as (
        select p.origin as domain, f.score
        from search.card as c
        left join search.embedding as e
            on e.model_id = (select m.id from search.model as m where m.active)
            and e.text_hash = c.text_hash
            and e.kind = c.kind
        cross join lateral search.search('passage', c.embedding_text, e.vector, 12, 12, 0, 48, '{1, 1.5, 0}') as f
        inner join search.card as p on p.id = f.card_id
        where c.kind = p_kind and c.ref = p_ref and policy.is_visible(c.rights_class, (select policy.visible_classes()))
        order by f.score desc, f.card_id
        limit 8
    ),

    counted as (
        select v.domain, sum(power(v.score, 4)) as votes from vote as v group by v.domain
    )

    select coalesce(array_agg(c.domain order by c.votes desc, c.domain), '{}')
    from counted as c
    where c.votes >= (select max(x.votes) from counted as x) / 2;
$function$;
comment on function knowledge.domains_of_card(text, bigint) is
'Returns the domains to which a card belongs, best first. Arguments: p_kind: kind of card; p_ref: id of the card in '
'the table of the kind. Returns an empty array if no passage is similar to the card.';
grant execute on function knowledge.domains_of_card to qm_reader;
