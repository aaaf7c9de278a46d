create or replace function selection.judge(
    p_candidates selection.candidate[], p_shown bigint[], p_budget integer default null, p_least real default 0
)
returns table (card_id bigint, rank integer, rule text, is_tied boolean)
language sql
immutable parallel safe security invoker
rows 100
set search_path = pg_catalog, pg_temp
as $function$
    with judged as (
        select
            c.card_id,
            c.value,
            c.tokens,
            c.probability,
            array_position(p_shown, c.card_id) as rank,
            count(*) over (partition by c.value) > 1 as is_tied
        from unnest(p_candidates) as c
    )

    select
        j.card_id,
        j.rank,
        case
            when j.rank is not null then null
            when j.probability < p_least then 'unlikely'
            when j.tokens > p_budget - coalesce(s.tokens, 0) then 'over_budget'
            when j.value >= s.value then 'redundant'
            else 'below_cut'
        end,
        j.is_tied
    from judged as j
    cross join (select sum(x.tokens) as tokens, min(x.value) as value from judged as x where x.rank is not null) as s;
$function$;
comment on function selection.judge(selection.candidate[], bigint[], integer, real) is
'Explains which candidate cards are shown, and why the other candidate cards are withheld. Arguments: p_candidates: '
'the candidate cards; p_shown: ids of the shown cards, in order; p_budget: maximum number of tokens in all shown cards '
'together (null: no limit); p_least: minimum probability of a shown card (from selection.least_of). Returns for each '
'candidate card: its rank (null: not shown); the rule by which the card was withheld (null: shown); true if another '
'candidate card has the same value. The rules are: unlikely (the card is less probable than p_least); over_budget (the '
'card is too large for the rest of the budget); redundant (the card is valuable enough, but similar to a shown card); '
'below_cut (the shown cards are more valuable).';
grant execute on function selection.judge to qm_reader;
