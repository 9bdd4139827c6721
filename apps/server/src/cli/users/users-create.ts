import { createUser, UserCreate } from '@postil/contract/people/users.ts'
import { addWorkspaceUser } from '@postil/contract/people/workspace-endpoints.ts'
import { WorkspaceCreate } from '@postil/contract/people/workspaces.ts'
import type { AppContext } from '#context.ts'
import { addUser } from '#features/users/public.ts'
import { addMember, ensureWorkspace } from '#features/workspaces/public.ts'
import { newApiKey } from '#platform/auth/credentials.ts'
import type { CliCommand, Values } from '../command.ts'
import { CommandError, jsonOption, printResult, textOf } from '../command.ts'
import { parseInput } from '../input/parse-input.ts'
import { askFor, requireTerminal } from '../input/prompt.ts'
import { withAuditedCall, withContext } from '../with-context.ts'
import { existing } from './users-lookup.ts'
import { warnOfWeakPassword } from './weak-password.ts'

const MIN_KEY = 8

const readUser = async (values: Values) => {
  requireTerminal(['username', 'password'].filter((name) => textOf(values, name) === undefined))
  const username = textOf(values, 'username') ?? (await askFor('Username'))
  const role =
    textOf(values, 'role') ??
    (process.stdin.isTTY ? (await askFor('Role (owner, admin, annotator) [annotator]')) || 'annotator' : 'annotator')
  const password = textOf(values, 'password') ?? (await askFor('Password', { hidden: true }))
  const user = parseInput(UserCreate, {
    username,
    role,
    password,
    agent: values.agent === true,
    first_name: textOf(values, 'first-name') ?? username,
    last_name: textOf(values, 'last-name') ?? null,
  })
  const api_key = textOf(values, 'api-key') ?? newApiKey()
  if ([...api_key].length < MIN_KEY) throw new CommandError(`--api-key must have at least ${MIN_KEY} characters.`)
  return { ...user, api_key }
}

const joinWorkspaces = async (ctx: AppContext, userId: string, names: readonly string[]): Promise<void> => {
  for (const name of names) {
    const { id } = await ctx.store.write(ensureWorkspace, { name })
    const { store } = withAuditedCall(ctx, addWorkspaceUser, { workspace_id: id }, { workspace: name })
    await store.write(addMember, { id, user_id: userId })
  }
}

export const usersCreate: CliCommand = {
  options: {
    username: { type: 'string', about: 'Username to sign in with.' },
    password: {
      type: 'string',
      about: '8 to 100 characters. Other users of this machine can see it; if omitted, you are prompted for it.',
    },
    role: { type: 'string', placeholder: 'ROLE', about: 'owner, admin or annotator [annotator].' },
    agent: { type: 'boolean', about: 'Mark the user as an agent, a program that cannot answer.' },
    'first-name': { type: 'string', about: 'Defaults to the username.' },
    'last-name': { type: 'string', about: 'Last name.' },
    'api-key': { type: 'string', about: `At least ${MIN_KEY} characters. If omitted, a key is generated and printed.` },
    workspace: { type: 'string', multiple: true, about: 'Workspace to join. Created if it does not exist.' },
    ...jsonOption,
  },
  positionals: [],
  flags: 'data',
  store: 'made',
  run: async ({ config, values }) => {
    const user = await readUser(values)
    const named = Array.isArray(values.workspace) ? [...new Set(values.workspace.map(String))] : []
    const workspaces = named.map((name) => parseInput(WorkspaceCreate, { name }, () => '--workspace').name)
    return withContext(config, async (ctx) => {
      const existingUser = await existing(ctx, user)
      if (existingUser !== null) {
        printResult(
          values,
          { username: user.username, created: false, reason: existingUser },
          `${existingUser} Nothing was changed.`,
        )
        return 0
      }
      const row = await addUser(
        withAuditedCall(ctx, createUser, {}, { username: user.username, role: user.role, agent: user.agent }),
        user,
      )
      await joinWorkspaces(ctx, row.id, workspaces)
      await warnOfWeakPassword(user.password, user.username)
      const isGenerated = textOf(values, 'api-key') === undefined
      const { id, username, role, is_agent } = row
      printResult(
        values,
        { id, username, role, agent: is_agent, workspaces, created: true, ...(isGenerated && { api_key: user.api_key }) },
        `Created ${is_agent ? 'agent' : 'user'} '${username}' with role ${role}${workspaces.length > 0 ? ` in ${workspaces.join(', ')}` : ''}.`,
        ...(isGenerated ? [`API key   ${user.api_key}`] : []),
      )
      return 0
    })
  },
}
