import { rmSync } from 'node:fs'
import { createBackup } from '#platform/backup/create.ts'
import { restoreBackup } from '#platform/backup/restore.ts'
import type { Step } from '#platform/backup/steps.ts'
import type { Config } from '#platform/config/read-config.ts'
import { type CliCommand, jsonOption, printResult } from './command.ts'
import { asNoSpaceError, checkNewFile, sizeOf } from './input/output-file.ts'
import { createProgress } from './output/progress.ts'
import { removeOnSignal } from './signals.ts'
import { recordAfterwards } from './with-context.ts'

/** Shows backup progress on a terminal. */
const stepsOn = (stream: NodeJS.WriteStream) => {
  const units = {
    bytes: createProgress(stream, { amount: sizeOf }),
    rows: createProgress(stream, { amount: (n) => `${n} rows` }),
  }
  const end = () => Object.values(units).forEach((unit) => void unit.end())
  let last: Step['unit'] | null = null
  const showStep = ({ what, unit, done, total }: Step) => {
    if (last !== unit) end()
    last = unit
    units[unit].report(what, done, total)
  }
  return { showStep, end }
}

/** Deletes the unfinished copy if the command is interrupted, because the copy contains everyone's data. */
const removingDraft = () => {
  let done = (): void => undefined
  const onDraft = (folder: string): void => {
    done = removeOnSignal(() => rmSync(folder, { recursive: true, force: true }))
  }
  return { onDraft, end: () => done() }
}

/** The location of the store, without the password. */
const locationOf = ({ dataDir, databaseUrl }: Config): string =>
  databaseUrl === undefined ? dataDir : `the database ${new URL(databaseUrl).pathname.slice(1)}`

export const backup: CliCommand = {
  options: { force: { type: 'boolean', about: 'Replace an existing file.' }, ...jsonOption },
  positionals: ['file'],
  flags: 'data',
  store: 'there',
  run: async ({ config, values, positionals: [given = ''] }) => {
    const file = checkNewFile(given, values.force === true)
    const [steps, draft] = [stepsOn(process.stderr), removingDraft()]
    const taking = createBackup(config, file, { onDraft: draft.onDraft, onStep: steps.showStep })
    const { bytes, revision, holdsSecret } = await taking.finally(steps.end).finally(draft.end).catch(asNoSpaceError(file))
    await recordAfterwards(config, { action: 'instance.backup', name: file, values: { bytes } }, { upgrade: false })
    printResult(
      values,
      { file, bytes, schema: revision, holds_secret: holdsSecret },
      `Backed up ${locationOf(config)} to ${file} (${sizeOf(bytes)}, schema ${revision ?? 'none'}).`,
      holdsSecret
        ? "The backup contains the server's secret. Store it where only you can read it."
        : 'The backup does not contain the secret, because POSTIL_SECRET sets it. Keep that secret too: API keys cannot be read without it.',
    )
    return 0
  },
}

export const restore: CliCommand = {
  options: { force: { type: 'boolean', about: 'Replace existing data.' }, ...jsonOption },
  positionals: ['file'],
  flags: 'data',
  store: 'made',
  run: async ({ config, values, positionals: [file = ''] }) => {
    const [steps, draft] = [stepsOn(process.stderr), removingDraft()]
    const force = values.force === true
    const restoring = restoreBackup(config, file, { force, onDraft: draft.onDraft, onStep: steps.showStep })
    const { created_at, revisions } = await restoring.finally(steps.end).finally(draft.end)
    await recordAfterwards(config, { action: 'instance.restore', name: file, values: { created_at } })
    const schema = revisions.at(-1) ?? null
    printResult(
      values,
      { file, created_at, schema },
      `Restored ${locationOf(config)} from a backup of ${created_at} (schema ${schema ?? 'none'}).`,
    )
    return 0
  },
}
