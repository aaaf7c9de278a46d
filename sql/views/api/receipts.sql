create or replace view api.receipts with (security_invoker = true) as
select
    r.receipt,
    r.at,
    r.goal,
    r.first,
    r.offered,
    r.withheld,
    r.mode,
    r.principal,
    r.kind,
    r.origin,
    r.duration_ms,
    r.door,
    r.request_id
from api.receipts() as r;
comment on view api.receipts is
'Receipts (records of searches), the newest first: your own, or all if you are an administrator. Example: `select '
'receipt, goal, first from receipts limit 5;` Only the searches that found nothing that fits: `select * from '
'list_receipts(nothing_fitted => true);`';
comment on column api.receipts.receipt is 'The number of the receipt. show_receipt(receipt) returns the whole receipt.';
comment on column api.receipts.at is 'The time of the search.';
comment on column api.receipts.goal is 'What was searched for; null for kinds whose goals are not stored.';
comment on column api.receipts.first is 'The best offered card that you may see now; null if there is none.';
comment on column api.receipts.offered is 'How many cards were offered.';
comment on column api.receipts.withheld is
'How many cards were withheld. Only operators learn how many of them a rule hid.';
comment on column api.receipts.mode is 'The mode of the search, such as fast, balanced or thorough.';
comment on column api.receipts.principal is 'Who searched; null if it is unknown.';
comment on column api.receipts.kind is 'The kind of card that was searched.';
comment on column api.receipts.origin is
'The origin that was searched, such as a lookup table; null if all were searched, or if rules hide it from you now.';
comment on column api.receipts.duration_ms is 'How long the search took in the database, in milliseconds.';
comment on column api.receipts.door is 'http or mcp; null for other doors.';
comment on column api.receipts.request_id is 'The id of the request; null if it has none.';
grant select on api.receipts to qm_user;
