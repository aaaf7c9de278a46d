-- The text of 0003, which was edited while nothing froze it (0026 of the core), for the databases that were made before.
comment on type lookup.rival is
'A row to which a query may refer, with the name that matches best, and the answer to which the row belongs.';
