import { listUserWorkspaces } from '@postil/contract/people/users.ts'
import {
  addWorkspaceUser,
  createWorkspace,
  deleteWorkspace,
  getWorkspace,
  listMyWorkspaces,
  listWorkspaceUsers,
  removeWorkspaceUser,
} from '@postil/contract/people/workspace-endpoints.ts'
import { route } from '#platform/http/route.ts'
import * as workspaces from './service.ts'

export const workspaceRoutes = [
  route(listMyWorkspaces, ({ ctx, user }) => workspaces.listOwn(ctx, user)),
  route(listUserWorkspaces, ({ ctx, user, params }) => workspaces.listOfUser(ctx, user, params.user_id)),
  route(createWorkspace, ({ ctx, user, body }) => workspaces.createWorkspace(ctx, user, body)),
  route(getWorkspace, ({ ctx, user, params }) => workspaces.getWorkspace(ctx, user, params.workspace_id)),
  route(deleteWorkspace, ({ ctx, user, params }) => workspaces.deleteWorkspace(ctx, user, params.workspace_id)),
  route(listWorkspaceUsers, ({ ctx, user, params }) => workspaces.listWorkspaceUsers(ctx, user, params.workspace_id)),
  route(addWorkspaceUser, ({ ctx, user, params, body }) =>
    workspaces.addWorkspaceUser(ctx, user, params.workspace_id, body.user_id),
  ),
  route(removeWorkspaceUser, ({ ctx, user, params }) =>
    workspaces.removeWorkspaceUser(ctx, user, params.workspace_id, params.user_id),
  ),
]
