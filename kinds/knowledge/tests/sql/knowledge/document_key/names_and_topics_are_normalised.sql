begin;
select plan(3);

select results_eq(
    $$select * from knowledge.document_key('Acme_Post', E'  Send\t  it ')$$, $$values ('acme-post', 'send it')$$, 'a name and a topic'
);
select results_eq($$select * from knowledge.document_key('/Org/Acme_Post', null)$$, $$values ('/Org/Acme_Post', '')$$, 'an id stays as it is');
select results_eq(
    $$select length(k.library), length(k.topic) from knowledge.document_key('/' || repeat('a', 300), repeat('b', 300)) as k$$, $$values (200, 200)$$, 'what is long is cut'
);

select * from finish();
rollback;
