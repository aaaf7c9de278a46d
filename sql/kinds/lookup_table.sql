-- Lookup tables themselves. Rules and searches refer to a table by its card.
select search.put_kind('lookup_table', 'Lookup tables, whose rows can be matched with strings');
