"""Words in which people ask for tools that use other words."""

from __future__ import annotations

from quartermaster.doors.mcp.asked_words import MOST_WORDS, asked_words, own_words, words_of_goal


def test_a_tool_that_deletes_is_asked_for_in_other_words():
    assert {"rid", "remove"} <= set(asked_words("deleteNote", "Deletes a note."))


def test_words_that_the_tool_has_are_not_said_again():
    found = asked_words("delete_note", "Removes a note: use this to remove old ones.")
    assert "rid" in found
    assert not {"delete", "remove", "old"} & set(found)


def test_a_tool_without_known_words_gets_none():
    assert asked_words("xqzv", "") == []
    assert asked_words("札幌", "札幌の天気") == []


def test_a_long_description_makes_no_long_list():
    text = "Deletes, sends, reads mails, files, calendars, repositories, images, weather, invoices."
    assert len(asked_words("do", text * 100)) == MOST_WORDS


def test_own_words_stand_in_singular_and_plural_once():
    assert own_words("listIssues", ["Lists the issues of a repo.", "repo_name"]) == (
        ["list", "lists", "issues", "issue", "the", "thes", "repo", "repos", "name", "names"]
    )


def test_a_goal_has_words_of_letters_alone():
    assert words_of_goal("Get rid of item 7, get it done!") == ["get", "rid", "item", "done"]
