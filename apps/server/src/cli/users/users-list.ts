import { listUsers } from '#features/users/public.ts'
import type { CliCommand } from '../command.ts'
import { jsonOption, printLine } from '../command.ts'
import { columns } from '../output/printable.ts'
import { OPERATOR, withContext } from '../with-context.ts'

export const usersList: CliCommand = {
  options: jsonOption,
  positionals: [],
  flags: 'data',
  store: 'current',
  run: ({ config, values }) =>
    withContext(config, async (ctx) => {
      const { items } = await listUsers(ctx, OPERATOR)
      if (values.json === true) printLine(JSON.stringify({ items: items.map(({ api_key: _, ...user }) => user) }))
      else if (items.length === 0) printLine('There are no users.')
      else {
        const rows = items.map(({ username, role, active, agent, first_name, last_name }) => [
          username,
          agent ? `${role} (agent)` : role,
          active ? 'active' : 'deactivated',
          [first_name, last_name].filter(Boolean).join(' '),
        ])
        for (const line of columns([['USERNAME', 'ROLE', 'STATE', 'NAME'], ...rows])) printLine(line)
      }
      return 0
    }),
}
