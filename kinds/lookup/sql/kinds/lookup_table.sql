-- Lookup tables themselves. Rules and searches refer to a table by its card.
select search.put_kind('lookup_table', 'Lookup tables, to whose rows strings can be matched');
