-- api.decide_phrases: the proposals are locked in the order of their numbers, so two operators who decide at the same
-- time do not wait for each other in a circle, and the second is told that a proposal is no longer open.
-- Writes: catalog.phrase_proposal, and what catalog.put_phrases writes.
create or replace function api.decide_phrases(proposals bigint[], approve boolean, reason text default '')
returns table (proposal bigint, tool text, added integer)
language plpgsql
volatile parallel unsafe security definer
rows 5
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_principal_id constant bigint := policy.require_principal();
    v_number bigint;
    v_open record;
begin
    for v_number in
        select distinct n.number
        from unnest(decide_phrases.proposals) as n (number)
        order by n.number
    loop
        select p.item_id, p.phrases, i.public_name
        into v_open
        from catalog.phrase_proposal as p
        inner join catalog.item as i on i.id = p.item_id
        where p.id = v_number
            and p.is_approved is null
            and policy.is_visible(i.rights_class, (select policy.visible_classes()))
        for no key update of p;
        if not found then
            perform core.fail('proposal_not_found', format('no open proposal has the number %s', v_number));
        end if;
        proposal := v_number;
        tool := v_open.public_name;
        added := 0;
        if decide_phrases.approve then
            added := catalog.put_phrases(v_open.item_id, v_open.phrases, decide_phrases.reason);
        end if;
        update catalog.phrase_proposal as p
        set is_approved = coalesce(decide_phrases.approve, false), decided_by = v_principal_id, decided_at = core.now()
        where p.id = v_number;
        return next;
    end loop;
end
$function$;
comment on function api.decide_phrases(bigint[], boolean, text) is
'Approves or declines words that were proposed for tools. Approved words become phrases of the repair of the tool, by '
'which searches also find it (undo with api.repair_tool). Arguments: proposals: numbers of open proposals, from '
'api.list_proposals; approve: true to approve them, false to decline them; reason: reason for the change. Either all '
'are decided or none. Returns for each proposal its number, the tool, and how many phrases were new. Raises QM404 '
'proposal_not_found, QM422 repair_invalid, repair_suspicious.';
grant execute on function api.decide_phrases to qm_operator;
