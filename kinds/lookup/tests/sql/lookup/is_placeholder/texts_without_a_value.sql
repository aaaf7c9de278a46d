begin;
select plan(2);

select is_empty(
    $$select t from unnest('{N/A,NA,none,cf.,?,x,xxx,-,unknown,okänd,unbekannt,sp.}'::text[]) as t where not lookup.is_placeholder(t)$$,
    'these stand for no value'
);
select is_empty(
    $$select t from unnest('{Nana,Norrköping,Betula nana,425,älg,Unknown Soldier}'::text[]) as t where lookup.is_placeholder(t)$$,
    'these are names'
);

select * from finish();
rollback;
