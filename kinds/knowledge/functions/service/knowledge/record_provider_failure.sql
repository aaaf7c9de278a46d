-- service.record_provider_failure: after several failures in a row, or if the provider asks for a pause, the service
-- stops calling the provider for a while. Each further failure doubles the pause, up to an hour.
-- Writes: knowledge.provider.
create or replace function service.record_provider_failure(
    provider text,
    because text,
    retry_after_s integer default null
)
returns void
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_most constant integer := (core.get_setting('documents.failures'))::integer;
    v_pause constant real := (core.get_setting('documents.pause_s'))::real;
begin
    insert into knowledge.provider as p (name, failures, because)
    values (record_provider_failure.provider, 1, left(record_provider_failure.because, 300))
    on conflict (name) do update set failures = p.failures + 1, because = excluded.because;
    update knowledge.provider as p
    set paused_until = core.now() + make_interval(
        secs => least(3600, greatest(
            record_provider_failure.retry_after_s,
            case when p.failures >= v_most then v_pause * power(2, least(p.failures - v_most, 12)) end
        ))
    )
    where p.name = record_provider_failure.provider
        and (p.failures >= v_most or record_provider_failure.retry_after_s is not null);
end
$function$;
comment on function service.record_provider_failure(text, text, integer) is
'Records that a provider of documentation failed. Arguments: provider: name of the provider; because: text of the '
'failure; retry_after_s: number of seconds for which the provider asks clients to wait (null: the provider did not say '
'this).';
grant execute on function service.record_provider_failure to qm_service;
