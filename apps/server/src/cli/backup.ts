import { rmSync } from 'node:fs'
import { restoreBackup } from '#platform/backup/restore.ts'
import { takeBackup } from '#platform/backup/take.ts'
import type { Config } from '#platform/config/read-config.ts'
import { type CliCommand, jsonOption, tell } from './command.ts'
import { removeWhenAsked } from './signals.ts'
import { newFile, sizeOf } from './whole-file.ts'
import { noteAfterwards } from './with-context.ts'

/** Where the store is, without a password. */
const placeOf = ({ dataDir, databaseUrl }: Config): string =>
  databaseUrl === undefined ? dataDir : `the database ${new URL(databaseUrl).pathname.slice(1)}`

export const backup: CliCommand = {
  names: ['backup'],
  summary: 'Write the whole store into one file, which either engine can be restored from. Works while the server runs.',
  options: { force: { type: 'boolean', about: 'Replace the file.' }, ...jsonOption },
  positionals: ['file'],
  flags: 'data',
  run: async ({ config, values, positionals: [given = ''] }) => {
    const file = newFile(given, values.force === true)
    const { bytes, revision, holdsSecret } = await takeBackup(config, file, {
      onDraft: (folder) => removeWhenAsked(() => rmSync(folder, { recursive: true, force: true })),
    })
    await noteAfterwards(config, 'instance.backup', file, { bytes })
    tell(
      values,
      { file, bytes, schema: revision, holds_secret: holdsSecret },
      `Backed up ${placeOf(config)} to ${file} (${sizeOf(bytes)}, schema ${revision ?? 'none'}).`,
      holdsSecret
        ? 'It holds the secret of the server: keep it where only you can read it.'
        : 'The secret is not in it, it comes from POSTIL_SECRET: keep that as well, without it API keys cannot be read.',
    )
    return 0
  },
}

export const restore: CliCommand = {
  names: ['restore'],
  summary: 'Put what a backup holds into the data folder, or into the PostgreSQL database, whose servers must not run.',
  options: { force: { type: 'boolean', about: 'Replace the data that is there.' }, ...jsonOption },
  positionals: ['file'],
  flags: 'data',
  run: async ({ config, values, positionals: [file = ''] }) => {
    const { created_at, revisions } = await restoreBackup(config, file, { force: values.force === true })
    await noteAfterwards(config, 'instance.restore', file, { created_at })
    const schema = revisions.at(-1) ?? null
    tell(
      values,
      { file, created_at, schema },
      `Restored ${placeOf(config)} from a backup of ${created_at} (schema ${schema ?? 'none'}).`,
    )
    return 0
  },
}
