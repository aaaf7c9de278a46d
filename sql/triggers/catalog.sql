-- Rules depend on the names of origins and items, which never change, and on categories and traits, which may change.
create or replace trigger rights_shared
before insert or update on catalog.origin
for each statement execute function policy.share_rights();

create or replace trigger class_added
after insert on catalog.origin
referencing new table as written
for each statement execute function catalog.class_changed();

create or replace trigger rights_shared
before insert or update on catalog.item
for each statement execute function policy.share_rights();

create or replace trigger class_added
after insert on catalog.item
referencing new table as written
for each statement execute function catalog.class_changed();

create or replace trigger class_changed
after update on catalog.item
referencing new table as written old table as replaced
for each statement execute function catalog.class_changed();

-- A new card of an item gets the rights class of the item.
create or replace trigger item_card_added
after insert on search.card
referencing new table as written
for each statement execute function catalog.card_added();

-- These triggers record every version of an origin, and every period in which an item was offered.
create or replace trigger origin_version_kept
after insert or update on catalog.origin
for each row execute function catalog.keep_origin_version();

create or replace trigger offers_added
after insert on catalog.item
referencing new table as written
for each statement execute function catalog.keep_offers();

create or replace trigger offers_kept
after update on catalog.item
referencing new table as written
for each statement execute function catalog.keep_offers();
