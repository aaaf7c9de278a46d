-- Rules for tests: they hold at once. Call it as the superuser.
create function t.make_rules(p_definition jsonb) returns jsonb
language sql as $$
    select catalog.activate_rules(policy.put_version(p_definition), false);
$$;
comment on function t.make_rules(jsonb) is 'Makes these rules the active version; says who gains and loses what.';

-- What the service does where a request came through /mcp/NAME; until the end of the transaction, or the next t.act_as.
create function t.through(p_toolset text) returns void
language sql as $$
    select set_config('qm.toolset', p_toolset, true);
$$;
