-- A larger result holds all other requests for long while it is read and written, and cannot be stored
-- (answer.largest). A value that a person has chosen stays.
update core.setting
set value = jsonb_set(value, '{result_bytes}', '16000000')
where name = 'call.terms' and value -> 'result_bytes' = '64000000'::jsonb;
