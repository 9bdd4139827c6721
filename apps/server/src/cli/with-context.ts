import type { AnyEndpoint } from '@postil/contract/wire/endpoint.ts'
import type { AppContext } from '#context.ts'
import { noteAct, storeOfCommandLine } from '#features/audit/service.ts'
import type { User } from '#platform/auth/user.ts'
import type { Config } from '#platform/config/read-config.ts'
import { migrations } from '#platform/db/migrate.ts'
import { appliedRevisions } from '#platform/db/revisions.ts'
import { StoreError } from '#platform/db/store.ts'
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

/** The context in which the first change is kept in the audit log, as what a call of an endpoint does. @param params as in its path */
export const asAct = (
  ctx: AppContext,
  endpoint: Pick<AnyEndpoint, 'id' | 'path'>,
  params: { readonly [name: string]: string } = {},
  values: object = {},
): AppContext => ({ ...ctx, store: storeOfCommandLine(ctx.store, endpoint, params, values) })

/** Keeps an act on the whole instance, which no route does. @param act its name, for example `instance.backup` */
export const noteInstanceAct = async (ctx: AppContext, act: string, name: string, values: object = {}): Promise<void> => {
  await asAct(ctx, { id: act, path: '/' }, {}, values).store.write(noteAct, { name })
}

const newest = migrations.at(-1)?.name ?? ''

/**
 * The same after a command that works without a store; one that this version cannot open keeps nothing, which is said.
 * @param upgrade false: nor does one of an older version, whose server may be running, and which would be brought up to date by it
 */
export const noteAfterwards = async (
  config: Config,
  act: { readonly action: string; readonly name: string; readonly values: object },
  { upgrade = true } = {},
): Promise<void> => {
  try {
    const at = upgrade ? newest : ((await appliedRevisions(config)).at(-1) ?? '')
    if (at < newest) {
      throw new StoreError('the store is one of an older version, and stays so.')
    }
    await withContext(config, (ctx) => noteInstanceAct(ctx, act.action, act.name, act.values))
  } catch (error) {
    process.stderr.write(`This could not be kept in the audit log: ${error instanceof Error ? error.message : error}\n`)
  }
}
