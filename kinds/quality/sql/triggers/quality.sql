-- The weights of the categories add up to 1, and so do the shares of the checkers of one category and language. They are
-- compared at the end of the transaction, so that several rows can change together.
drop trigger if exists weights_add_up on quality.category;
create constraint trigger weights_add_up
after insert or update or delete on quality.category
deferrable initially deferred
for each row execute function quality.require_sums();

drop trigger if exists shares_add_up on quality.checker;
create constraint trigger shares_add_up
after insert or update or delete on quality.checker
deferrable initially deferred
for each row execute function quality.require_sums();
