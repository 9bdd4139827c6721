import type { User as UserPayload } from '@postil/contract/people/users.ts'
import type { Workspace, WorkspaceCreate } from '@postil/contract/people/workspaces.ts'
import { forbidden, notFound, notFoundWithReason } from '@postil/contract/wire/errors.ts'
import type { AppContext } from '#context.ts'
import * as assignments from '#features/assignments/public.ts'
import * as queue from '#features/queue/public.ts'
import * as users from '#features/users/public.ts'
import { type Actor, actorOf } from '#platform/auth/actor.ts'
import type { User } from '#platform/auth/user.ts'
import * as commands from './commands.ts'
import { workspacePolicy } from './policy.ts'
import * as queries from './queries.ts'
import { presentWorkspace, type WorkspaceRow } from './rows.ts'

const list = (rows: readonly WorkspaceRow[]) => ({ items: rows.map(presentWorkspace) })

export const listOwn = async (ctx: AppContext, user: Actor): Promise<{ items: Workspace[] }> =>
  list(await ctx.store.read(queries.listWorkspacesOf, actorOf(user)))

export const listOfUser = async (ctx: AppContext, user: User, id: string): Promise<{ items: Workspace[] }> => {
  if (!workspacePolicy.listOfUser(user)) throw forbidden()
  const rows = await ctx.store.read(queries.listWorkspacesOfId, { id })
  if (rows === null) throw notFound('User', id)
  return list(rows)
}

/** Checks the permission before checking that the workspace exists, so that outsiders can't find out which workspaces exist. */
const requireWorkspace = async (
  ctx: AppContext,
  user: User,
  id: string,
  may: (u: User, member: boolean) => boolean,
): Promise<WorkspaceRow> => {
  const { workspace, member } = await ctx.store.read(queries.getMembership, { id, user_id: user.id })
  if (!may(user, member)) throw forbidden()
  if (workspace === null) throw notFound('Workspace', id)
  return workspace
}

export const getWorkspace = async (ctx: AppContext, user: User, id: string): Promise<Workspace> =>
  presentWorkspace(await requireWorkspace(ctx, user, id, workspacePolicy.get))

export const createWorkspace = async (ctx: AppContext, user: User, { id, name }: WorkspaceCreate): Promise<Workspace> => {
  if (!workspacePolicy.create(user)) throw forbidden()
  return presentWorkspace(await ctx.store.write(commands.createWorkspace, { id: id ?? null, name }))
}

export const deleteWorkspace = async (ctx: AppContext, user: User, id: string): Promise<Workspace> => {
  await requireWorkspace(ctx, user, id, workspacePolicy.delete)
  return presentWorkspace(await ctx.store.write(commands.deleteWorkspace, { id }))
}

export const listWorkspaceUsers = async (ctx: AppContext, user: User, id: string): Promise<{ items: UserPayload[] }> => {
  await requireWorkspace(ctx, user, id, workspacePolicy.listUsers)
  const rows = await ctx.store.read(queries.listMembers, { id })
  return { items: rows.map((row) => users.present(ctx, user, row)) }
}

const member = async (ctx: AppContext, id: string, user_id: string): Promise<users.UserRow> => {
  const row = await ctx.store.read(queries.getMember, { id, user_id })
  if (row === null) throw notFoundWithReason(`User with id \`${user_id}\` does not belong to workspace with id \`${id}\``)
  return row
}

export const addWorkspaceUser = async (ctx: AppContext, user: User, id: string, user_id: string): Promise<UserPayload> => {
  await requireWorkspace(ctx, user, id, workspacePolicy.addUser)
  await ctx.store.write(commands.addMember, { id, user_id })
  return users.present(ctx, user, await member(ctx, id, user_id))
}

export const removeWorkspaceUser = async (ctx: AppContext, user: User, id: string, user_id: string): Promise<UserPayload> => {
  const row = await member(ctx, id, user_id)
  const membership = await ctx.store.read(queries.getMembership, { id, user_id: user.id })
  if (!workspacePolicy.removeUser(user, membership.member)) throw forbidden()
  await ctx.store.write(commands.removeMember, { id, user_id })
  await queue.releaseEverywhere(ctx, user_id, id)
  await assignments.removeOfUser(ctx, user_id, id)
  return users.present(ctx, user, row)
}
