import { createUser } from '@postil/contract/people/users.ts'
import { addUser } from '#features/users/public.ts'
import { addMember, ensureWorkspace } from '#features/workspaces/public.ts'
import { newApiKey, newPassword } from '#platform/auth/credentials.ts'
import { openContext } from '../../open-context.ts'
import type { CliCommand } from '../command.ts'
import { jsonOption, printResult } from '../command.ts'
import { withAuditedCall } from '../with-context.ts'
import { existing } from './users-lookup.ts'
import { warnOfWeakPassword } from './weak-password.ts'

/** The name of the default user. Scripts for the original server expect this name. */
const DEFAULT_NAME = 'argilla'

export const usersCreateDefault: CliCommand = {
  options: {
    'api-key': { type: 'string', about: 'API key. Generated if omitted.' },
    password: { type: 'string', about: 'Password. Generated if omitted.' },
    quiet: { type: 'boolean', about: 'Print only generated values.' },
    ...jsonOption,
  },
  positionals: [],
  flags: 'data',
  store: 'made',
  run: async ({ config, values }) => {
    const credentials = { password: values.password, apiKey: values['api-key'] }
    const password = typeof credentials.password === 'string' ? credentials.password : newPassword()
    const api_key = typeof credentials.apiKey === 'string' ? credentials.apiKey : newApiKey()
    const ctx = await openContext(config, { exclusive: false })
    try {
      const existingUser = await existing(ctx, { username: DEFAULT_NAME, api_key })
      if (existingUser !== null) {
        const lines = values.quiet ? [] : [`${existingUser} Nothing was changed.`]
        printResult(values, { username: DEFAULT_NAME, created: false, reason: existingUser }, ...lines)
        return 0
      }
      const row = await addUser(withAuditedCall(ctx, createUser, {}, { username: DEFAULT_NAME, role: 'owner' }), {
        username: DEFAULT_NAME,
        first_name: '',
        last_name: null,
        role: 'owner',
        password,
        api_key,
      })
      const workspace = await ctx.store.write(ensureWorkspace, { name: DEFAULT_NAME })
      await ctx.store.write(addMember, { id: workspace.id, user_id: row.id })
      if (credentials.password !== undefined) await warnOfWeakPassword(password, DEFAULT_NAME)
      // Prints generated secrets even in quiet mode, because they are not stored anywhere else.
      const generated = {
        ...(credentials.password === undefined && { password }),
        ...(credentials.apiKey === undefined && { api_key }),
      }
      printResult(
        values,
        { id: row.id, username: DEFAULT_NAME, created: true, ...generated },
        ...(values.quiet ? [] : [`Owner     ${DEFAULT_NAME}`]),
        ...(credentials.password === undefined ? [`Password  ${password}`] : []),
        ...(credentials.apiKey === undefined ? [`API key   ${api_key}`] : []),
      )
      return 0
    } finally {
      await ctx.store.close()
    }
  },
}
