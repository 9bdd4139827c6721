import { addUser } from '#features/users/service.ts'
import { addMember, ensureWorkspace } from '#features/workspaces/service.ts'
import { newApiKey, newPassword } from '#platform/auth/credentials.ts'
import { openContext } from '../open-context.ts'
import type { CliCommand } from './command.ts'
import { say } from './command.ts'
import { existing } from './users-lookup.ts'

/** The name that scripts made for the original server expect. */
const DEFAULT_NAME = 'argilla'

export const usersCreateDefault: CliCommand = {
  names: ['database users create_default', 'database users create-default'],
  summary: `Create the owner '${DEFAULT_NAME}' and a workspace of that name. There is no default password or key: both are generated.`,
  options: {
    'api-key': { type: 'string', about: 'API key; generated when left out.' },
    password: { type: 'string', about: 'Password; generated when left out.' },
    quiet: { type: 'boolean', about: 'Print only what was generated.' },
  },
  positionals: [],
  flags: 'data',
  run: async ({ config, values }) => {
    const given = { password: values.password, apiKey: values['api-key'] }
    const password = typeof given.password === 'string' ? given.password : newPassword()
    const api_key = typeof given.apiKey === 'string' ? given.apiKey : newApiKey()
    const ctx = await openContext(config, { exclusive: false })
    try {
      const taken = await existing(ctx, { username: DEFAULT_NAME, api_key })
      if (taken !== null) {
        if (!values.quiet) say(`${taken} Nothing was changed.`)
        return 0
      }
      const row = await addUser(ctx, {
        username: DEFAULT_NAME,
        first_name: '',
        last_name: null,
        role: 'owner',
        password,
        api_key,
      })
      await addMember(ctx, (await ensureWorkspace(ctx, DEFAULT_NAME)).id, row.id)
      if (!values.quiet) say(`Owner     ${DEFAULT_NAME}`)
      // NOTE: what was generated is printed even when quiet, because it is kept nowhere else
      if (given.password === undefined) say(`Password  ${password}`)
      if (given.apiKey === undefined) say(`API key   ${api_key}`)
      return 0
    } finally {
      await ctx.store.close()
    }
  },
}
