-- The default is no rule, so it is in list_rules.
create or replace view api.rules with (security_invoker = true) as
select
    r.position::integer as position,
    r.rule ->> 'effect' as effect,
    r.rule ->> 'subject' as subject,
    r.rule - '{effect,subject,reason}'::text[] as conditions,
    coalesce(r.rule ->> 'reason', '') as reason
from jsonb_array_elements(api.show_rules() -> 'rules') with ordinality as r (rule, position);
comment on view api.rules is
'Rules of the active version, in their order. If no rule applies to a card, the default does: `select version, '
'"default" from list_rules() where is_active;` Example: `select * from rules;`';
comment on column api.rules.position is
'The position of the rule in its version. Receipts, calls and decisions name it.';
comment on column api.rules.effect is 'allow or deny. A rule that denies takes precedence over a rule that allows.';
comment on column api.rules.subject is
'To whom the rule applies: everyone, role:ROLE, organisation:NAME, principal:NAME or toolset:NAME.';
comment on column api.rules.conditions is
'The cards to which the rule applies: all conditions must match. An empty object matches every card.';
comment on column api.rules.reason is 'Why the rule exists; empty if nobody gave a reason.';
grant select on api.rules to qm_operator;
