-- What clients and the service may call: nothing appears here unseen.
begin;
select plan(3);

select functions_are('api', array[
    'activate_model',
    'add_origin',
    'authenticate',
    'call_begin',
    'call_end',
    'claim_refresh',
    'claim_unembedded',
    'compare_evaluations',
    'configure_canary',
    'configure_modes',
    'configure_scoring',
    'debug_select',
    'describe_tool',
    'drop_model',
    'end_instance',
    'end_session',
    'find_principal',
    'finish_refresh',
    'get_connection',
    'get_origin',
    'get_refresh',
    'heartbeat',
    'import_tools',
    'last_receipt',
    'list_capabilities',
    'list_evaluations',
    'list_exposed',
    'list_golden_tasks',
    'list_modes',
    'list_models',
    'list_origins',
    'put_key',
    'put_model',
    'reject_tools',
    'remove_origin',
    'request_refresh',
    'rerank',
    'rerank_candidates',
    'run_feedback',
    'search_cards',
    'search_tools',
    'select_tools',
    'status',
    'store_embeddings',
    'store_evaluation',
    'store_tools'
], 'the operations of the api');
select is_empty($$select p.oid::regprocedure from pg_proc as p where p.pronamespace = 'api'::regnamespace and 0 < (select count(*) from unnest(p.proargnames[:p.pronargs]) as a (name) where a.name like 'p\_%')$$, 'arguments are words that people type');
select is_empty($$select p.proname from pg_proc as p where p.pronamespace = 'api'::regnamespace group by p.proname having count(*) > 1$$, 'no operation has two signatures');

select * from finish();
rollback;
