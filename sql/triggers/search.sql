-- A cached pool is valid as long as cards, vectors, models and weights do not change.
create or replace trigger card_changed
after insert or update or delete on search.card
for each statement execute function core.bump_version('cards');

-- When the service requests texts to embed, search.claim_unembedded also copies the vectors of texts that already have
-- a vector for another kind. Usually there are no such vectors. The statement then inserts no row, so the counter does
-- not change.
create or replace trigger embedding_added
after insert on search.embedding
referencing new table as changed
for each statement execute function core.bump_version('vectors', 'rows');

create or replace trigger embedding_changed
after update or delete on search.embedding
for each statement execute function core.bump_version('vectors');

create or replace trigger model_changed
after insert or update or delete on search.model
for each statement execute function core.bump_version('models');

create or replace trigger kind_changed
after update of k1, b, field_weights on search.kind
for each statement execute function core.bump_version('kinds');

create or replace trigger coefficient_changed
after insert or update or delete on search.coefficient
for each statement execute function core.bump_version('coefficients');

create or replace trigger profile_weights_changed
after insert or update or delete or truncate on search.coefficient
for each statement execute function search.renew_profile_weights();

create or replace trigger profile_weights_changed
after update of features on search.feature_set
for each statement execute function search.renew_profile_weights();

create or replace trigger profile_weights_changed
after update of feature_set on search.kind
for each statement execute function search.renew_profile_weights();

create or replace trigger teaching_changed
after insert or update or delete on search.teaching
for each statement execute function core.bump_version('teachings');

create or replace trigger teaching_vector_changed
after insert or update or delete on search.teaching_vector
for each statement execute function core.bump_version('teachings');

create or replace trigger common_goal_changed
after insert or update or delete on search.common_goal
for each statement execute function core.bump_version('coefficients');

create or replace trigger common_similarity_added
after insert on search.embedding
referencing new table as written
for each statement execute function search.add_common_similarity();

create or replace trigger common_similarity_changed
after update on search.embedding
referencing new table as written
for each statement execute function search.add_common_similarity();

create or replace trigger common_goal_added
after insert on search.common_goal
referencing new table as written
for each statement execute function search.renew_common_similarity();

create or replace trigger common_goal_replaced
after update on search.common_goal
referencing new table as written old table as replaced
for each statement execute function search.renew_common_similarity();

create or replace trigger common_goal_removed
after delete on search.common_goal
referencing old table as replaced
for each statement execute function search.renew_common_similarity();

create or replace trigger destroying_goal_changed
after insert or update or delete on search.destroying_goal
for each statement execute function core.bump_version('coefficients');

-- Rules depend on the kind, origin and name of a card, so a change to one of them can change its rights class.
create or replace trigger card_class_added
after insert on search.card
referencing new table as written
for each statement execute function search.card_class_changed();

create or replace trigger card_class_changed
after update on search.card
referencing new table as written old table as replaced
for each statement execute function search.card_class_changed();

-- Which kinds have all their vectors, is known until cards of the kind get new texts.
create or replace trigger card_text_added
after insert on search.card
referencing new table as written
for each statement execute function search.count_new_texts();

create or replace trigger card_text_changed
after update on search.card
referencing new table as written old table as replaced
for each statement execute function search.count_new_texts();

create or replace trigger card_rights_shared
before insert or update on search.card
for each statement execute function policy.share_rights();
