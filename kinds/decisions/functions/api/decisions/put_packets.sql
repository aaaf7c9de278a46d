-- api.put_packets: an old packet that has no answer is deleted, unless it is also among the new packets.
-- Writes: decisions.packet.
create or replace function api.put_packets(packets jsonb, project text default null)
returns integer
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_project_id constant integer := projects.find(put_packets.project);
    v_problem constant text := decisions.packets_problem(put_packets.packets);
begin
    if v_problem is not null then
        perform core.fail('argument_invalid', v_problem, null, 'Create packets with qm decisions ingest.');
    end if;
    perform from projects.project as p where p.id = v_project_id for update; -- one batch at a time
    delete from decisions.packet as k where k.project_id = v_project_id and k.answered_at is null;
    insert into decisions.packet (project_id, place, scope, commit_hash, evidence, created_at, fingerprint)
    select
        v_project_id, g.place, g.packet ->> 'scope', g.packet ->> 'commit', g.packet -> 'evidence', core.now(),
        sha256(convert_to(jsonb_build_array(g.packet -> 'scope', g.packet -> 'evidence')::text, 'UTF8'))
    from jsonb_array_elements(put_packets.packets) with ordinality as g (packet, place)
    on conflict on constraint packet_fingerprint_key do nothing;
    return (select count(*) from decisions.packet as k where k.project_id = v_project_id and k.answered_at is null);
end
$function$;
comment on function api.put_packets(jsonb, text) is
'Stores packets of evidence (counts, excerpts and statements, each packet about one area of the code), in which agents '
'should look for decisions. Agents get the packets in the order of the array. The function deletes other packets that '
'no agent has answered. Arguments: packets: JSON array of at most 100 packets {scope, commit, evidence}; project: the '
'project, as NAME or OWNER/NAME (null: your only project). In a packet, scope is a path pattern (glob), and commit is '
'the hash of a commit. Each element of evidence is {id, level, kind, path, line, end_line, commit, blob, line_hash, '
'text}, in which id is E1, E2 and so on, level is structure, excerpts or diffs, and kind is file, commit or document. '
'The evidence of one packet may have at most 24,000 characters. Returns the number of packets without an answer. '
'Raises QM404 project_not_found, QM409 project_ambiguous, QM422 argument_invalid.';
grant execute on function api.put_packets to qm_user;
