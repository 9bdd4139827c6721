"""Signing in, and listing resources."""

import uuid

import argilla as rg
import pytest
from argilla._exceptions import ForbiddenError, UnauthorizedError
from argilla._exceptions._client import ArgillaCredentialsError

from conftest import PASSWORD, all_settings, token_of, unique


def test_a_wrong_key_is_refused_at_once(client):
    with pytest.raises(ArgillaCredentialsError) as raised:
        rg.Argilla(api_key="not a key of anyone")
    assert isinstance(raised.value.__cause__ or raised.value.__context__, UnauthorizedError)


def test_me_is_the_owner_of_the_key(client, make_user, as_user):
    assert client.me.role == "owner"
    user = make_user("admin")
    assert as_user(user).me.username == user.username
    assert as_user(user).me.role == "admin"


def test_collections_have_a_length_an_order_and_an_index(client, workspace):
    names = [one.name for one in client.workspaces]
    assert len(client.workspaces) == len(names)
    assert client.workspaces[0].name == names[0]
    assert client.workspaces.default.name == names[0]
    assert names[-1] == workspace.name, "oldest first"
    usernames = [one.username for one in client.users]
    assert client.users[0].username == usernames[0]
    assert len(client.users) == len(usernames)


def test_what_is_not_there_is_none(client, workspace):
    unknown = uuid.uuid4()
    with pytest.warns(UserWarning, match="not found"):
        assert client.workspaces("no-such-workspace") is None
        assert client.workspaces(id=unknown) is None
        assert client.users("no such user") is None
        assert client.users(id=unknown) is None
        assert client.datasets("no such dataset", workspace=workspace) is None
        assert client.datasets(id=unknown) is None


def test_ids_are_found_in_any_spelling(client, workspace):
    assert client.workspaces(id=str(workspace.id).upper()).name == workspace.name
    assert client.workspaces(id=workspace.id.hex).name == workspace.name


def test_an_annotator_sees_own_workspaces_and_may_not_list_users(client, workspace, make_user, as_user):
    annotator = as_user(make_user("annotator", workspace))
    assert [one.name for one in annotator.workspaces] == [workspace.name]
    assert annotator.workspaces.default.name == workspace.name
    with pytest.raises(ForbiddenError):
        list(annotator.users)
    with pytest.raises(ForbiddenError):
        annotator.users(id=client.me.id)


def test_a_stranger_may_not_know_whether_a_workspace_exists(workspace, make_user, as_user):
    stranger = as_user(make_user("admin"))
    with pytest.raises(ForbiddenError):
        stranger.workspaces(id=workspace.id)
    with pytest.raises(ForbiddenError):
        stranger.workspaces(id=uuid.uuid4())


def test_an_admin_works_in_own_workspaces_only(client, workspace, make_user, as_user):
    admin = as_user(make_user("admin", workspace))
    made = rg.Dataset(name=unique("by-admin"), workspace=workspace.name, settings=all_settings(), client=admin).create()
    assert client.datasets(made.name, workspace=workspace).id == made.id
    other = rg.Workspace(name=unique("other"), client=client).create()
    settings = all_settings()
    foreign = rg.Dataset(name="no", workspace=rg.Workspace.from_model(other._model, client=admin), settings=settings, client=admin)
    with pytest.raises(ForbiddenError, match="not authorized to create a dataset"):
        foreign.create()
    other.delete()


def test_a_password_signs_in(make_user):
    user = make_user("annotator")
    assert token_of(user.username, PASSWORD).count(".") == 2
    with pytest.raises(Exception, match="401"):
        token_of(user.username, PASSWORD + "!")
