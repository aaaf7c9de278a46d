begin;
select plan(3);

select is(knowledge.brief_signature('send(parcel)'), 'send(parcel)', 'a short signature is whole');
select is(
    knowledge.brief_signature('send(' || repeat('a: str = None, ', 12) || 'barcode: str = None)'), 'send(' || repeat('a: str = None, ', 12) || 'barcode: str …',
    'a long one ends between two words, with a mark'
);
select is(length(knowledge.brief_signature(repeat('x', 300))), 200, 'also one without a blank');

select * from finish();
rollback;
