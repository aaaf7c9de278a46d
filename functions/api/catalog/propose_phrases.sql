-- api.propose_phrases: everybody may propose, because a proposal changes nothing until an operator approves it.
-- Writes: catalog.phrase_proposal.
create or replace function api.propose_phrases(name text, phrases text[])
returns bigint
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    c_most constant integer := 200;
    v_principal_id constant bigint := policy.require_principal();
    v_item_id constant bigint := catalog.item_id(array[search.default_kind()], propose_phrases.name);
    v_phrases constant text[] := array(
        select g.phrase
        from (
            select btrim(p.phrase) as phrase, min(p.position) as place
            from unnest(propose_phrases.phrases) with ordinality as p (phrase, position)
            group by btrim(p.phrase)
        ) as g
        order by g.place
    );
    v_changes constant jsonb := jsonb_build_object('phrases', v_phrases);
    v_problem text;
    v_id bigint;
begin
    v_problem := case
        when cardinality(v_phrases) not between 1 and 10 then 'a proposal has 1 to 10 phrases'
        else catalog.repair_problem(v_changes, false)
    end;
    if v_problem is not null then
        perform core.fail('argument_invalid', v_problem);
    end if;
    v_problem := catalog.scan_repair(v_changes);
    if v_problem is not null then
        perform core.fail('repair_suspicious', format('%s in the phrases', v_problem));
    end if;
    perform from policy.principal as p where p.id = v_principal_id for no key update;
    delete from catalog.phrase_proposal as p
    where p.item_id = v_item_id and p.proposed_by = v_principal_id and p.is_approved is null;
    if (
        select count(*)
        from catalog.phrase_proposal as p
        where p.proposed_by = v_principal_id and p.is_approved is null
    ) >= c_most
    then
        perform core.fail('proposals_full', format('%s of your proposals wait for a decision', c_most));
    end if;
    insert into catalog.phrase_proposal (item_id, phrases, proposed_by, proposed_at)
    values (v_item_id, v_phrases, v_principal_id, core.now())
    returning id into v_id;
    return v_id;
end
$function$;
comment on function api.propose_phrases(text, text[]) is
'Proposes words by which searches also find a tool. Nothing changes until an operator approves them '
'(api.decide_phrases). An open proposal of the caller for the same tool is replaced. Arguments: name: callable name of '
'the tool; phrases: 1 to 10 phrases of at most 200 characters, as people would ask for the tool. Returns the number of '
'the proposal. Raises QM404 tool_not_found, QM409 proposals_full, QM422 argument_invalid, repair_suspicious.';
grant execute on function api.propose_phrases to qm_user;
