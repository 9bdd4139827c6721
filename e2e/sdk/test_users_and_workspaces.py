"""Users, workspaces and their members."""

import uuid

import argilla as rg
import pytest
from argilla._exceptions import ConflictError, ForbiddenError, NotFoundError, UnprocessableEntityError

from conftest import PASSWORD, all_settings, token_of, unique


def test_a_user_is_created_changed_and_deleted(client, make_user):
    id = uuid.uuid4()
    user = rg.User(username=unique("full"), first_name="Ada", last_name="L.", role="admin", password=PASSWORD, id=id, client=client)
    user.create()
    assert user.id == id
    found = client.users(id=id)
    assert (found.first_name, found.last_name, found.role) == ("Ada", "L.", "admin")

    user.first_name, user.last_name, user.role, user.password = "Grace", "H.", "annotator", "another password"
    user.update()
    found = client.users(id=id)
    assert (found.first_name, found.last_name, found.role) == ("Grace", "H.", "annotator")
    assert token_of(user.username, "another password")

    user.delete()
    with pytest.warns(UserWarning, match="not found"):
        assert client.users(id=id) is None


@pytest.mark.parametrize("password", ["12345678", "argilla1", "password"])
def test_a_password_that_many_people_have(client, password):
    user = rg.User(username=unique("common"), password=password, client=client).create()
    assert token_of(user.username, password)
    user.password = "qwertyuiop"
    user.update()
    assert token_of(user.username, "qwertyuiop")
    user.delete()


@pytest.mark.parametrize("password", ["", "short", "x" * 101])
def test_a_password_out_of_bounds(client, password):
    with pytest.raises(UnprocessableEntityError):
        rg.User(username=unique("u"), password=password, client=client).create()


def test_a_user_without_a_name(client):
    with pytest.raises(Exception):
        rg.User(username="", password=PASSWORD, client=client).create()


def test_a_name_or_id_that_somebody_has(client, make_user):
    user = make_user()
    with pytest.raises(ConflictError):
        rg.User(username=user.username, password=PASSWORD, client=client).create()
    with pytest.raises(ConflictError):
        rg.User(username=unique("u"), password=PASSWORD, id=user.id, client=client).create()
    other = make_user()
    other.username = user.username
    with pytest.raises(UnprocessableEntityError):
        other.update()


def test_only_owners_manage_users(client, make_user, as_user):
    user = make_user()
    for role in ("admin", "annotator"):
        other = as_user(make_user(role))
        with pytest.raises(ForbiddenError):
            rg.User(username=unique("u"), password=PASSWORD, client=other).create()
        with pytest.raises(ForbiddenError):
            other.api.users.delete(user.id)
        with pytest.raises(ForbiddenError):
            other.api.users.update(user._model)


def test_a_user_that_is_gone(client, make_user):
    user = make_user()
    id = user.id
    user.delete()
    with pytest.raises(NotFoundError):
        client.api.users.delete(id)


def test_members_come_and_go_by_name_and_object(client, workspace, make_user):
    ann, bob = make_user("annotator", username=unique("ann")), make_user("annotator", username=unique("bob"))
    assert isinstance(workspace.add_user(ann.username), rg.User)
    workspace.add_user(bob)
    assert [one.username for one in workspace.users] == [ann.username, bob.username]
    assert len(workspace.users) == 2 and workspace.users[1].id == bob.id
    assert workspace.remove_user(ann.username).id == ann.id
    workspace.remove_user(bob)
    assert len(workspace.users) == 0


def test_wrong_members(client, workspace, make_user):
    user = make_user("annotator", workspace)
    with pytest.raises(ConflictError):
        workspace.add_user(user)
    with pytest.raises(ValueError, match="does not exist"):
        workspace.add_user("nobody of that name")
    workspace.remove_user(user)
    with pytest.raises(NotFoundError):
        workspace.remove_user(user)
    with pytest.raises(UnprocessableEntityError):
        client.api.users.add_to_workspace(workspace.id, uuid.uuid4())


def test_an_admin_may_see_and_remove_members_but_not_add(workspace, make_user, as_user):
    admin, user = make_user("admin", workspace), make_user("annotator", workspace)
    theirs = as_user(admin).workspaces(id=workspace.id)
    assert {one.username for one in theirs.users} == {admin.username, user.username}
    with pytest.raises(ForbiddenError):
        as_user(admin).api.users.add_to_workspace(workspace.id, make_user().id)
    as_user(admin).api.users.delete_from_workspace(workspace.id, user.id)
    assert [one.username for one in theirs.users] == [admin.username]


def test_workspaces_that_cannot_be(client, workspace):
    with pytest.raises(ConflictError):
        rg.Workspace(name=workspace.name, client=client).create()
    with pytest.raises(ConflictError):
        rg.Workspace(name=unique("same-id"), id=workspace.id, client=client).create()
    answer = client.api.http_client.post("/api/v1/workspaces", json={"name": "a name with spaces"})
    assert answer.status_code == 422
    assert answer.json()["detail"]["params"]["errors"][0]["type"] == "string_pattern_mismatch"


def test_a_workspace_with_datasets_stays(client):
    workspace = rg.Workspace(name=unique("full"), client=client).create()
    dataset = rg.Dataset(name="d", workspace=workspace, settings=all_settings(), client=client).create()
    with pytest.raises(ConflictError):
        workspace.delete()
    dataset.delete()
    workspace.delete()
    with pytest.raises(NotFoundError):
        client.api.workspaces.delete(workspace.id)


def test_only_owners_manage_workspaces(workspace, make_user, as_user):
    admin = as_user(make_user("admin", workspace))
    with pytest.raises(ForbiddenError):
        rg.Workspace(name=unique("w"), client=admin).create()
    with pytest.raises(ForbiddenError):
        admin.api.workspaces.delete(workspace.id)
