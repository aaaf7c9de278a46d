-- Goals of several sentences: their vectors come behind that of the goal.
-- One transaction with the service stopped or waiting, so locks are no risk; callers of the dropped are changed with it.
-- squawk-ignore-file ban-drop-function
drop function if exists search.features(text, text, ext.vector, bigint[]);
