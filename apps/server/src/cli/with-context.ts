import type { AppContext } from '#context.ts'
import type { User } from '#platform/auth/user.ts'
import type { Config } from '#platform/config/read-config.ts'
import { openContext } from '../open-context.ts'

/** Whoever may run a command on the server's machine may do what an owner may. */
export const OPERATOR: User = {
  id: '00000000-0000-0000-0000-000000000000',
  username: 'postil',
  first_name: 'postil',
  role: 'owner',
}

/** Opens the store beside a server that may run, and closes it in any case. */
export const withContext = async <R>(config: Config, run: (ctx: AppContext) => Promise<R>): Promise<R> => {
  const ctx = await openContext(config, { exclusive: false })
  try {
    return await run(ctx)
  } finally {
    await ctx.store.close()
  }
}
