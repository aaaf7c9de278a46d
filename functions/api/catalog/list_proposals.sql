create or replace function api.list_proposals(everything boolean default false)
returns table (
    proposal bigint,
    tool text,
    phrases text[],
    proposed_by text,
    proposed_at timestamptz,
    is_approved boolean,
    decided_by text,
    decided_at timestamptz
)
language sql
stable parallel safe security definer
rows 20
set search_path = pg_catalog, pg_temp
as $function$
    select policy.require_principal();
    select x.id, i.public_name, x.phrases, p.name, x.proposed_at, x.is_approved, d.name, x.decided_at
    from catalog.phrase_proposal as x
    inner join catalog.item as i on i.id = x.item_id
    left join policy.principal as p on p.id = x.proposed_by
    left join policy.principal as d on d.id = x.decided_by
    where list_proposals.everything or x.is_approved is null
    order by i.public_name, x.id;
$function$;
comment on function api.list_proposals(boolean) is
'Lists words that were proposed for tools, by which searches would also find them. Users see their own proposals, and '
'operators all proposals for tools that they may see. Argument everything: true to list also those that somebody has '
'decided on. Returns for each proposal: its number; the tool; the phrases; who proposed them, and when; whether they '
'were approved (null: nobody has decided), by whom, and when. Can be null: proposed_by, is_approved, decided_by, '
'decided_at.';
alter function api.list_proposals owner to qm_reader;
grant execute on function api.list_proposals to qm_user;
