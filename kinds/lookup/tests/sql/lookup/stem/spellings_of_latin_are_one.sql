begin;
select plan(3);

select is(lookup.stem('pyracantha coccinea'), lookup.stem('piracantha coccineus'), 'y and i, endings of gender');
select is(lookup.stem('phaeophyllus'), lookup.stem('feofilus'), 'ph, ae, double letters');
select isnt(lookup.stem('betula nana'), lookup.stem('betula alba'), 'other names stay apart');

select * from finish();
rollback;
