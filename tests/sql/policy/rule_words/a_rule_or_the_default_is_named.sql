begin;
select plan(3);

select is(policy.rule_words((1, 2, 'deny', 'everyone', 1, 'why not')::policy.rule, 'allow'), 'rule 2: deny everyone: why not', 'a rule with its reason');
select is(policy.rule_words((1, 2, 'allow', 'everyone', 1, '')::policy.rule, 'deny'), 'rule 2: allow everyone', 'one without');
select is(policy.rule_words(null, 'deny'), 'default deny', 'or the default');

select * from finish();
rollback;
