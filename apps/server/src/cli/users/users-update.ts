import { removeSecondFactorOf } from '@postil/contract/people/second-factor.ts'
import { UserRole, updateUser as updateUserEndpoint } from '@postil/contract/people/users.ts'
import { resetFactor } from '#features/auth/public.ts'
import { listUserRows, type UserRow, updateUser } from '#features/users/public.ts'
import { now } from '#platform/time.ts'
import { openContext } from '../../open-context.ts'
import type { CliCommand } from '../command.ts'
import { CommandError, jsonOption, printResult } from '../command.ts'
import { withAuditedCall } from '../with-context.ts'

const isActiveOwner = ({ role, deactivated_at }: UserRow): boolean => role === 'owner' && deactivated_at === null

const NO_OWNER =
  "There are no owners left. To add one, run 'postil database users update NAME --role owner' or 'postil database users create'."

export const usersUpdate: CliCommand = {
  options: {
    role: { type: 'string', placeholder: 'ROLE', about: 'owner, admin or annotator.' },
    'remove-second-factor': { type: 'boolean', about: 'Remove the second factor and end all sessions.' },
    ...jsonOption,
  },
  positionals: ['username'],
  flags: 'data',
  store: 'current',
  run: async ({ config, values, positionals: [username = ''] }) => {
    const role = UserRole.safeParse(values.role)
    if (values.role !== undefined && !role.success)
      throw new CommandError(`--role must be one of ${UserRole.options.join(', ')}.`)
    const ctx = await openContext(config, { exclusive: false })
    try {
      const users = await ctx.store.read(listUserRows, null)
      const user = users.find((one) => one.username === username) ?? null
      const unchanged = (reason: string) =>
        printResult(values, { username, role: user?.role ?? null, changed: false, reason }, `${reason} Nothing was changed.`)
      if (user !== null && values['remove-second-factor'] === true) {
        const { store } = withAuditedCall(ctx, removeSecondFactorOf, { user_id: user.id }, { username })
        const changed = await store.write(resetFactor, { user_id: user.id, at: now() })
        const outcome = changed ? 'no longer has a second factor and was signed out everywhere' : 'does not have a second factor'
        printResult(values, { username, role: user.role, second_factor_removed: changed }, `User '${username}' ${outcome}.`)
        if (values.role === undefined) return 0
      }
      if (user === null) unchanged(`There is no user '${username}'.`)
      else if (!role.success) unchanged('No role was given.')
      else if (user.role === role.data) unchanged(`User '${username}' already has the role ${role.data}.`)
      else {
        const { store } = withAuditedCall(ctx, updateUserEndpoint, { user_id: user.id }, { username, role: role.data })
        await store.write(updateUser, { id: user.id, change: { role: role.data }, at: now() })
        const document = { username, role: role.data, changed: true, before: user.role }
        const owners = users.map((one) => (one === user ? { ...one, role: role.data } : one)).filter(isActiveOwner)
        printResult(
          values,
          { ...document, owners: owners.length },
          `Changed the role of user '${username}' from ${user.role} to ${role.data}.`,
        )
        if (owners.length === 0) process.stderr.write(`${NO_OWNER}\n`)
      }
      return 0
    } finally {
      await ctx.store.close()
    }
  },
}
