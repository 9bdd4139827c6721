import { createUser } from '@postil/contract/people/users.ts'
import { addUser } from '#features/users/service.ts'
import { addMember, ensureWorkspace } from '#features/workspaces/service.ts'
import { newApiKey, newPassword } from '#platform/auth/credentials.ts'
import { openContext } from '../../open-context.ts'
import type { CliCommand } from '../command.ts'
import { jsonOption, tell } from '../command.ts'
import { asAct } from '../with-context.ts'
import { existing } from './users-lookup.ts'
import { warnOfWeakPassword } from './weak-password.ts'

/** The name that scripts made for the original server expect. */
const DEFAULT_NAME = 'argilla'

export const usersCreateDefault: CliCommand = {
  names: ['database users create_default', 'database users create-default'],
  summary: `Create the owner '${DEFAULT_NAME}' and a workspace of that name. There is no default password or key: both are generated.`,
  options: {
    'api-key': { type: 'string', about: 'API key; generated when left out.' },
    password: { type: 'string', about: 'Password; generated when left out.' },
    quiet: { type: 'boolean', about: 'Print only what was generated.' },
    ...jsonOption,
  },
  positionals: [],
  flags: 'data',
  store: 'made',
  run: async ({ config, values }) => {
    const given = { password: values.password, apiKey: values['api-key'] }
    const password = typeof given.password === 'string' ? given.password : newPassword()
    const api_key = typeof given.apiKey === 'string' ? given.apiKey : newApiKey()
    const ctx = await openContext(config, { exclusive: false })
    try {
      const taken = await existing(ctx, { username: DEFAULT_NAME, api_key })
      if (taken !== null) {
        const lines = values.quiet ? [] : [`${taken} Nothing was changed.`]
        tell(values, { username: DEFAULT_NAME, created: false, reason: taken }, ...lines)
        return 0
      }
      const row = await addUser(asAct(ctx, createUser, {}, { username: DEFAULT_NAME, role: 'owner' }), {
        username: DEFAULT_NAME,
        first_name: '',
        last_name: null,
        role: 'owner',
        password,
        api_key,
      })
      await addMember(ctx, (await ensureWorkspace(ctx, DEFAULT_NAME)).id, row.id)
      if (given.password !== undefined) await warnOfWeakPassword(password, DEFAULT_NAME)
      // NOTE: what was generated is printed even when quiet, because it is kept nowhere else
      const generated = { ...(given.password === undefined && { password }), ...(given.apiKey === undefined && { api_key }) }
      tell(
        values,
        { id: row.id, username: DEFAULT_NAME, created: true, ...generated },
        ...(values.quiet ? [] : [`Owner     ${DEFAULT_NAME}`]),
        ...(given.password === undefined ? [`Password  ${password}`] : []),
        ...(given.apiKey === undefined ? [`API key   ${api_key}`] : []),
      )
      return 0
    } finally {
      await ctx.store.close()
    }
  },
}
