import { areSame, resealAll } from '#platform/auth/secrets/change-secret.ts'
import { adoptNextSecret, makeNextSecret } from '#platform/auth/secrets/master-secret.ts'
import { createSecrets } from '#platform/auth/secrets/secrets.ts'
import type { Config } from '#platform/config/read-config.ts'
import { openContext } from '../open-context.ts'
import type { CliCommand } from './command.ts'
import { CommandError, jsonOption, printResult } from './command.ts'
import { recordInstanceAction } from './with-context.ts'

/** The new secret: generated if the current one is in the data folder, otherwise the given one. */
const nextSecret = async ({ secret, newSecret, dataDir }: Config): Promise<string> => {
  if (secret === undefined) {
    if (newSecret === undefined) return makeNextSecret(dataDir)
    throw new CommandError(
      "POSTIL_NEW_SECRET applies only if POSTIL_SECRET is set. This server's secret is in the data folder. To generate a new secret, unset POSTIL_NEW_SECRET.",
    )
  }
  if (newSecret !== undefined) return newSecret
  throw new CommandError('Set POSTIL_NEW_SECRET to the new value of POSTIL_SECRET.')
}

export const secretChange: CliCommand = {
  options: jsonOption,
  positionals: [],
  flags: 'data',
  store: 'current',
  run: async ({ config, values }) => {
    const ctx = await openContext(config, { exclusive: true })
    try {
      const next = createSecrets(await nextSecret(config))
      if (areSame(ctx.secrets, next))
        throw new CommandError('POSTIL_NEW_SECRET is the same as the current secret. Nothing was changed.')
      const { sealed, unreadable } = await resealAll(ctx.store, ctx.secrets, next)
      if (config.secret === undefined) await adoptNextSecret(config.dataDir)
      await recordInstanceAction(ctx, 'instance.change_secret', 'secret', { sealed, unreadable })
      const then =
        config.secret === undefined
          ? `The new secret is stored in ${config.dataDir}.`
          : 'Set POSTIL_SECRET to the value of POSTIL_NEW_SECRET for every process before you start it.'
      printResult(
        values,
        { changed: true, sealed, unreadable },
        `Re-encrypted values: ${sealed}${unreadable === 0 ? '' : `; skipped because they could not be decrypted: ${unreadable}`}. ${then}`,
        'Bearer tokens and file links are no longer valid. API keys, webhook secrets and second factors still work. Earlier backups need the old secret.',
      )
      return 0
    } finally {
      await ctx.store.close()
    }
  },
}
