import { rmSync } from 'node:fs'
import { restoreBackup } from '#platform/backup/restore.ts'
import type { Step } from '#platform/backup/steps.ts'
import { takeBackup } from '#platform/backup/take.ts'
import type { Config } from '#platform/config/read-config.ts'
import { newFile, noRoomFor, sizeOf } from './asked/whole-file.ts'
import { type CliCommand, jsonOption, tell } from './command.ts'
import { removeWhenAsked } from './signals.ts'
import { progressOn } from './told/progress.ts'
import { noteAfterwards } from './with-context.ts'

/** How far a backup is, on a terminal. */
const stepsOn = (stream: NodeJS.WriteStream) => {
  const units = {
    bytes: progressOn(stream, { amount: sizeOf }),
    rows: progressOn(stream, { amount: (n) => `${n} rows` }),
  }
  const end = () => Object.values(units).forEach((unit) => void unit.end())
  let last: Step['unit'] | null = null
  const tell = ({ what, unit, done, total }: Step) => {
    if (last !== unit) end()
    last = unit
    units[unit].tell(what, done, total)
  }
  return { tell, end }
}

/** A command that is ended leaves no copy of what is everybody's, until it is done. */
const removingDraft = () => {
  let done = (): void => undefined
  const onDraft = (folder: string): void => {
    done = removeWhenAsked(() => rmSync(folder, { recursive: true, force: true }))
  }
  return { onDraft, end: () => done() }
}

/** Where the store is, without a password. */
const placeOf = ({ dataDir, databaseUrl }: Config): string =>
  databaseUrl === undefined ? dataDir : `the database ${new URL(databaseUrl).pathname.slice(1)}`

export const backup: CliCommand = {
  names: ['backup'],
  summary: 'Write the whole store into one file, which either engine can be restored from. Works while the server runs.',
  options: { force: { type: 'boolean', about: 'Replace the file.' }, ...jsonOption },
  positionals: ['file'],
  flags: 'data',
  store: 'there',
  run: async ({ config, values, positionals: [given = ''] }) => {
    const file = newFile(given, values.force === true)
    const [steps, draft] = [stepsOn(process.stderr), removingDraft()]
    const taking = takeBackup(config, file, { onDraft: draft.onDraft, onStep: steps.tell })
    const { bytes, revision, holdsSecret } = await taking.finally(steps.end).finally(draft.end).catch(noRoomFor(file))
    await noteAfterwards(config, { action: 'instance.backup', name: file, values: { bytes } }, { upgrade: false })
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
  store: 'made',
  run: async ({ config, values, positionals: [file = ''] }) => {
    const [steps, draft] = [stepsOn(process.stderr), removingDraft()]
    const force = values.force === true
    const restoring = restoreBackup(config, file, { force, onDraft: draft.onDraft, onStep: steps.tell })
    const { created_at, revisions } = await restoring.finally(steps.end).finally(draft.end)
    await noteAfterwards(config, { action: 'instance.restore', name: file, values: { created_at } })
    const schema = revisions.at(-1) ?? null
    tell(
      values,
      { file, created_at, schema },
      `Restored ${placeOf(config)} from a backup of ${created_at} (schema ${schema ?? 'none'}).`,
    )
    return 0
  },
}
