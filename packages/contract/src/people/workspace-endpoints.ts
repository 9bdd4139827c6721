import { defineEndpoint } from '../wire/define-endpoint.ts'
import { itemsOf } from '../wire/scalars.ts'
import { User } from './users.ts'
import { Workspace, WorkspaceCreate, WorkspaceUserCreate } from './workspaces.ts'

export const listMyWorkspaces = defineEndpoint({
  id: 'workspaces.list_mine',
  method: 'GET',
  path: '/me/workspaces',
  result: itemsOf(Workspace),
  summary: "List the caller's workspaces, oldest first; owners see all",
})
export const createWorkspace = defineEndpoint({
  id: 'workspaces.create',
  method: 'POST',
  path: '/workspaces',
  body: WorkspaceCreate,
  status: 201,
  result: Workspace,
  errors: [403, 409],
  summary: 'Create a workspace',
})
export const getWorkspace = defineEndpoint({
  id: 'workspaces.get',
  method: 'GET',
  path: '/workspaces/:workspace_id',
  result: Workspace,
  errors: [403, 404],
  summary: 'Get a workspace',
})
export const deleteWorkspace = defineEndpoint({
  id: 'workspaces.delete',
  method: 'DELETE',
  path: '/workspaces/:workspace_id',
  result: Workspace,
  errors: [403, 404, 409],
  summary: 'Delete a workspace that has no datasets',
})
export const listWorkspaceUsers = defineEndpoint({
  id: 'workspaces.users',
  method: 'GET',
  path: '/workspaces/:workspace_id/users',
  result: itemsOf(User),
  errors: [403, 404],
  summary: 'List the members of a workspace in order of joining',
})
export const addWorkspaceUser = defineEndpoint({
  id: 'workspaces.add_user',
  method: 'POST',
  path: '/workspaces/:workspace_id/users',
  body: WorkspaceUserCreate,
  status: 201,
  result: User,
  errors: [403, 404, 409],
  summary: 'Add a member to a workspace',
})
export const removeWorkspaceUser = defineEndpoint({
  id: 'workspaces.remove_user',
  method: 'DELETE',
  path: '/workspaces/:workspace_id/users/:user_id',
  result: User,
  errors: [403, 404],
  summary: 'Remove a member from a workspace',
})

export const workspaceEndpoints = [
  listMyWorkspaces,
  createWorkspace,
  getWorkspace,
  deleteWorkspace,
  listWorkspaceUsers,
  addWorkspaceUser,
  removeWorkspaceUser,
] as const
