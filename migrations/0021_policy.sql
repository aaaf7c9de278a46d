-- The service also says what memory sessions hold (api.end_sessions), and operators may not.

-- squawk-ignore ban-drop-function
drop function if exists api.end_sessions();
