import { UserCreate } from '@postil/contract/users.ts'
import { WorkspaceCreate } from '@postil/contract/workspaces.ts'
import type { z } from 'zod'
import type { AppContext } from '#context.ts'
import { addUser } from '#features/users/service.ts'
import { addMember, ensureWorkspace } from '#features/workspaces/service.ts'
import { newApiKey } from '#platform/auth/credentials.ts'
import { openContext } from '../open-context.ts'
import type { CliCommand, Values } from './command.ts'
import { CommandError, say } from './command.ts'
import { askFor } from './prompt.ts'
import { existing } from './users-lookup.ts'

const MIN_KEY = 8

const text = (values: Values, name: string): string | undefined => {
  const value = values[name]
  return typeof value === 'string' ? value : undefined
}

const checked = <T>(schema: z.ZodType<T>, input: unknown, option = (key: string) => key.replaceAll('_', '-')): T => {
  const result = schema.safeParse(input)
  if (result.success) return result.data
  throw new CommandError(result.error.issues.map(({ path, message }) => `--${option(path.join('.'))}: ${message}`).join('\n'))
}

const readUser = async (values: Values) => {
  const username = text(values, 'username') ?? (await askFor('username', 'Username'))
  const role =
    text(values, 'role') ??
    (process.stdin.isTTY ? (await askFor('role', 'Role (owner, admin, annotator) [annotator]')) || 'annotator' : 'annotator')
  const password = text(values, 'password') ?? (await askFor('password', 'Password', { hidden: true }))
  const user = checked(UserCreate, {
    username,
    role,
    password,
    first_name: text(values, 'first-name') ?? username,
    last_name: text(values, 'last-name') ?? null,
  })
  const api_key = text(values, 'api-key') ?? newApiKey()
  if ([...api_key].length < MIN_KEY) throw new CommandError(`--api-key must have at least ${MIN_KEY} characters.`)
  return { ...user, api_key }
}

const joinWorkspaces = async (ctx: AppContext, userId: string, names: readonly string[]): Promise<void> => {
  for (const name of names) await addMember(ctx, (await ensureWorkspace(ctx, name)).id, userId)
}

export const usersCreate: CliCommand = {
  names: ['database users create'],
  summary: 'Create a user. Asks for the name, role and password that are not given.',
  options: {
    username: { type: 'string' },
    password: { type: 'string' },
    role: { type: 'string' },
    'first-name': { type: 'string' },
    'last-name': { type: 'string' },
    'api-key': { type: 'string' },
    workspace: { type: 'string', multiple: true },
  },
  positionals: [],
  flags: 'data',
  run: async ({ config, values }) => {
    const user = await readUser(values)
    const named = Array.isArray(values.workspace) ? values.workspace.map(String) : []
    const workspaces = named.map((name) => checked(WorkspaceCreate, { name }, () => 'workspace').name)
    const ctx = await openContext(config, { exclusive: false })
    try {
      const taken = await existing(ctx, user)
      if (taken !== null) {
        say(`${taken} Nothing was changed.`)
        return 0
      }
      const row = await addUser(ctx, user)
      await joinWorkspaces(ctx, row.id, workspaces)
      say(`User '${row.username}' was created as ${row.role}${workspaces.length > 0 ? ` in ${workspaces.join(', ')}` : ''}.`)
      if (text(values, 'api-key') === undefined) say(`API key   ${user.api_key}`)
      return 0
    } finally {
      await ctx.store.close()
    }
  },
}
