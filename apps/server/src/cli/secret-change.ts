import { areSame, resealAll } from '#platform/auth/secrets/change-secret.ts'
import { adoptNextSecret, makeNextSecret } from '#platform/auth/secrets/master-secret.ts'
import { createSecrets } from '#platform/auth/secrets/secrets.ts'
import type { Config } from '#platform/config/read-config.ts'
import { openContext } from '../open-context.ts'
import type { CliCommand } from './command.ts'
import { CommandError, jsonOption, printResult } from './command.ts'
import { recordInstanceAction } from './with-context.ts'

/** The new secret: generated if the secret is in the data folder, otherwise the one that was given. */
const nextSecret = async ({ secret, newSecret, dataDir }: Config): Promise<string> => {
  if (secret === undefined) {
    if (newSecret === undefined) return makeNextSecret(dataDir)
    throw new CommandError(
      'POSTIL_NEW_SECRET is for servers that are given POSTIL_SECRET. This one has its secret in the data folder: leave it out, and a new one is made.',
    )
  }
  if (newSecret !== undefined) return newSecret
  throw new CommandError('Set POSTIL_NEW_SECRET to the text that POSTIL_SECRET is to be from now on.')
}

export const secretChange: CliCommand = {
  names: ['secret change'],
  summary: 'Seal what the store holds under seal with a new secret. No server of the store may run.',
  options: jsonOption,
  positionals: [],
  flags: 'data',
  store: 'current',
  run: async ({ config, values }) => {
    const ctx = await openContext(config, { exclusive: true })
    try {
      const next = createSecrets(await nextSecret(config))
      if (areSame(ctx.secrets, next)) throw new CommandError('POSTIL_NEW_SECRET is the present secret. Nothing was changed.')
      const { sealed, unreadable } = await resealAll(ctx.store, ctx.secrets, next)
      if (config.secret === undefined) await adoptNextSecret(config.dataDir)
      await recordInstanceAction(ctx, 'instance.change_secret', 'secret', { sealed, unreadable })
      const then =
        config.secret === undefined
          ? `The new secret is in ${config.dataDir}.`
          : 'From now on POSTIL_SECRET has to be what POSTIL_NEW_SECRET was, for every process.'
      printResult(
        values,
        { changed: true, sealed, unreadable },
        `Sealed anew: ${sealed}${unreadable === 0 ? '' : `; left alone, because nobody could read them before: ${unreadable}`}. ${then}`,
        'Bearer tokens and links to files end; API keys, webhook secrets and second factors go on. Backups made before need the old secret.',
      )
      return 0
    } finally {
      await ctx.store.close()
    }
  },
}
