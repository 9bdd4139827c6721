import type { AnyEndpoint } from '@postil/contract/wire/endpoint.ts'
import type { AppContext } from '#context.ts'
import { commandLineStore, recordAction } from '#features/audit/public.ts'
import type { User } from '#platform/auth/user.ts'
import type { Config } from '#platform/config/read-config.ts'
import { migrations } from '#platform/db/migrate.ts'
import { appliedRevisions } from '#platform/db/revisions.ts'
import { StoreError } from '#platform/db/store.ts'
import { openContext } from '../open-context.ts'

/** The user that commands act as. Anyone who can run a command on the server's machine has the rights of an owner. */
export const OPERATOR: User = {
  id: '00000000-0000-0000-0000-000000000000',
  username: 'postil',
  first_name: 'postil',
  role: 'owner',
}

/** Opens the store, runs a function and closes the store. A server may be using the same store. */
export const withContext = async <R>(config: Config, run: (ctx: AppContext) => Promise<R>): Promise<R> => {
  const ctx = await openContext(config, { exclusive: false })
  try {
    return await run(ctx)
  } finally {
    await ctx.store.close()
  }
}

/**
 * Returns a context for an action on the command line. The first change that is made through this context is recorded in the
 * audit log, as if the endpoint had been called.
 * @param params the endpoint's path parameters
 * @param values the details of the audit log entry. A function is called when the first change is written
 */
export const withAuditedCall = (
  ctx: AppContext,
  endpoint: Pick<AnyEndpoint, 'id' | 'path'>,
  params: { readonly [name: string]: string } = {},
  values: object | (() => object) = {},
): AppContext => ({
  ...ctx,
  store: commandLineStore(ctx.store, endpoint, params, () => (typeof values === 'function' ? values() : values)),
})

/** Records an instance-wide action that has no route. @param act the action's name, for example `instance.backup` */
export const recordInstanceAction = async (ctx: AppContext, act: string, name: string, values: object = {}): Promise<void> => {
  await withAuditedCall(ctx, { id: act, path: '/' }, {}, values).store.write(recordAction, { name })
}

const newest = migrations.at(-1)?.name ?? ''

/**
 * Adds a finished backup or restoration to the audit log. If the store can't be opened, prints that nothing was added.
 * @param upgrade false: don't open an older store, because that would upgrade it while its server may be running
 */
export const recordAfterwards = async (
  config: Config,
  act: { readonly action: string; readonly name: string; readonly values: object },
  { upgrade = true } = {},
): Promise<void> => {
  try {
    const at = upgrade ? newest : ((await appliedRevisions(config)).at(-1) ?? '')
    if (at < newest) {
      throw new StoreError('the database is from an older version and was not upgraded.')
    }
    await withContext(config, (ctx) => recordInstanceAction(ctx, act.action, act.name, act.values))
  } catch (error) {
    process.stderr.write(`This action could not be added to the audit log: ${error instanceof Error ? error.message : error}\n`)
  }
}
