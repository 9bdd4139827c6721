import { rmSync } from 'node:fs'
import { restoreBackup } from '#platform/backup/restore.ts'
import { takeBackup } from '#platform/backup/take.ts'
import type { Config } from '#platform/config/read-config.ts'
import { type CliCommand, say, UsageError } from './command.ts'
import { removeWhenAsked } from './signals.ts'
import { newFile, sizeOf } from './whole-file.ts'

const refusePostgres = ({ databaseUrl }: Config, verb: string, tool: string): void => {
  if (databaseUrl === undefined) return
  throw new UsageError(
    `A PostgreSQL database is ${verb} with ${tool}, not by this command: see "PostgreSQL" in docs/operations.md for how.`,
  )
}

export const backup: CliCommand = {
  names: ['backup'],
  summary: 'Write the whole embedded store into one file. Works while the server runs. With PostgreSQL use pg_dump.',
  options: { force: { type: 'boolean', about: 'Replace the file.' } },
  positionals: ['file'],
  flags: 'data',
  run: async ({ config, values, positionals: [given = ''] }) => {
    refusePostgres(config, 'backed up', 'pg_dump')
    const file = newFile(given, values.force === true)
    const { bytes, revision, holdsSecret } = await takeBackup(config, file, {
      onDraft: (folder) => removeWhenAsked(() => rmSync(folder, { recursive: true, force: true })),
    })
    say(`Backed up ${config.dataDir} to ${file} (${sizeOf(bytes)}, schema ${revision ?? 'none'}).`)
    say(
      holdsSecret
        ? 'It holds the secret of the server: keep it where only you can read it.'
        : 'The secret is not in it, it comes from POSTIL_SECRET: keep that as well, without it API keys cannot be read.',
    )
    return 0
  },
}

export const restore: CliCommand = {
  names: ['restore'],
  summary: 'Put what a backup holds into the data folder, whose server must not run. With PostgreSQL use pg_restore.',
  options: { force: { type: 'boolean', about: 'Replace the data that is in the folder.' } },
  positionals: ['file'],
  flags: 'data',
  run: async ({ config, values, positionals: [file = ''] }) => {
    refusePostgres(config, 'restored', 'pg_restore')
    const { created_at, revisions } = await restoreBackup(config, file, { force: values.force === true })
    say(`Restored ${config.dataDir} from a backup of ${created_at} (schema ${revisions.at(-1) ?? 'none'}).`)
    return 0
  },
}
