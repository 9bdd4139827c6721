import * as endpoints from '@postil/contract/people/workspace-endpoints.ts'
import { WorkspaceCreate } from '@postil/contract/people/workspaces.ts'
import { Problem } from '@postil/contract/wire/errors.ts'
import type { AppContext } from '#context.ts'
import * as workspaces from '#features/workspaces/public.ts'
import type { User } from '#platform/auth/user.ts'
import type { CliCommand } from './command.ts'
import { CommandError, jsonOption, printLine, printResult } from './command.ts'
import { parseInput } from './input/parse-input.ts'
import { columns } from './output/printable.ts'
import { findByName } from './users/users-lookup.ts'
import { OPERATOR, withAuditedCall, withContext } from './with-context.ts'

const workspaceNamed = async (ctx: AppContext, name: string) => {
  const { items } = await workspaces.listOwn(ctx, OPERATOR)
  const found = items.find((one) => one.name === name)
  if (found === undefined) throw new CommandError(`There is no workspace '${name}'.`)
  return found
}

const userNamed = async (ctx: AppContext, name: string): Promise<User> => {
  const user = await findByName(ctx, name)
  if (user === null) throw new CommandError(`There is no user '${name}'.`)
  return user
}

/**
 * Replaces an error that names IDs with a sentence that uses the names that the user typed. Other errors are thrown unchanged.
 */
const refusedAs =
  (kind: Problem['data']['kind'], sentence: string) =>
  (error: unknown): never => {
    throw error instanceof Problem && error.data.kind === kind ? new CommandError(sentence) : error
  }

export const workspacesList: CliCommand = {
  options: jsonOption,
  positionals: [],
  flags: 'data',
  store: 'current',
  run: ({ config, values }) =>
    withContext(config, async (ctx) => {
      const { items } = await workspaces.listOwn(ctx, OPERATOR)
      const users = await Promise.all(
        items.map(async ({ id }) =>
          (await workspaces.listWorkspaceUsers(ctx, OPERATOR, id)).items.map(({ username }) => username),
        ),
      )
      if (values.json === true) printLine(JSON.stringify({ items: items.map((item, i) => ({ ...item, users: users[i] ?? [] })) }))
      else if (items.length === 0) printLine('There are no workspaces.')
      else {
        const rows = items.map(({ name }, i) => [name, String(users[i]?.length ?? 0), (users[i] ?? []).join(', ')])
        for (const line of columns([['NAME', 'USERS', ''], ...rows])) printLine(line)
      }
      return 0
    }),
}

export const workspacesCreate: CliCommand = {
  options: jsonOption,
  positionals: ['name'],
  flags: 'data',
  store: 'made',
  run: ({ config, values, positionals: [given = ''] }) => {
    const { name } = parseInput(WorkspaceCreate, { name: given }, () => 'name')
    return withContext(config, async (ctx) => {
      const { id } = await workspaces
        .createWorkspace(withAuditedCall(ctx, endpoints.createWorkspace, {}, { name }), OPERATOR, { name })
        .catch(refusedAs('conflict', `Workspace '${name}' already exists. Nothing was changed.`))
      printResult(values, { id, name, created: true }, `Created workspace '${name}'.`)
      return 0
    })
  },
}

export const workspacesAddUser: CliCommand = {
  options: jsonOption,
  positionals: ['name', 'username'],
  flags: 'data',
  store: 'current',
  run: ({ config, values, positionals: [name = '', username = ''] }) =>
    withContext(config, async (ctx) => {
      const [workspace, user] = [await workspaceNamed(ctx, name), await userNamed(ctx, username)]
      await workspaces
        .addWorkspaceUser(
          withAuditedCall(ctx, endpoints.addWorkspaceUser, { workspace_id: workspace.id }, { workspace: name, username }),
          OPERATOR,
          workspace.id,
          user.id,
        )
        .catch(refusedAs('conflict', `User '${username}' is already in workspace '${name}'. Nothing was changed.`))
      printResult(values, { id: workspace.id, name, username, member: true }, `Added user '${username}' to workspace '${name}'.`)
      return 0
    }),
}

export const workspacesRemoveUser: CliCommand = {
  options: jsonOption,
  positionals: ['name', 'username'],
  flags: 'data',
  store: 'current',
  run: ({ config, values, positionals: [name = '', username = ''] }) =>
    withContext(config, async (ctx) => {
      const [workspace, user] = [await workspaceNamed(ctx, name), await userNamed(ctx, username)]
      await workspaces
        .removeWorkspaceUser(
          withAuditedCall(
            ctx,
            endpoints.removeWorkspaceUser,
            { workspace_id: workspace.id, user_id: user.id },
            { workspace: name, username },
          ),
          OPERATOR,
          workspace.id,
          user.id,
        )
        .catch(refusedAs('not_found', `User '${username}' is not in workspace '${name}'. Nothing was changed.`))
      printResult(
        values,
        { id: workspace.id, name, username, member: false },
        `Removed user '${username}' from workspace '${name}'.`,
      )
      return 0
    }),
}

export const workspacesDelete: CliCommand = {
  options: jsonOption,
  positionals: ['name'],
  flags: 'data',
  store: 'current',
  run: ({ config, values, positionals: [name = ''] }) =>
    withContext(config, async (ctx) => {
      const { id } = await workspaceNamed(ctx, name)
      await workspaces.deleteWorkspace(
        withAuditedCall(ctx, endpoints.deleteWorkspace, { workspace_id: id }, { name }),
        OPERATOR,
        id,
      )
      printResult(values, { id, name, deleted: true }, `Deleted workspace '${name}'.`)
      return 0
    }),
}
