import { readFileSync, rmSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import type { RowFault } from '@postil/contract/files/imports.ts'
import { FileMapping, listImports, startImport } from '@postil/contract/files/imports.ts'
import { Problem } from '@postil/contract/wire/errors.ts'
import { formatOf, importLocal } from '#features/imports/service.ts'
import { chosen } from './asked/chosen.ts'
import { sizeOf } from './asked/whole-file.ts'
import { type CliCommand, CommandError, say, textOf, UsageError } from './command.ts'
import { endEarly, whenAsked } from './signals.ts'
import { printable } from './told/printable.ts'
import { progressOn } from './told/progress.ts'
import { asAct, OPERATOR, withContext } from './with-context.ts'

/** Bad rows that are shown; with `--json` all of them are. */
const SHOWN = 20

const fileAt = (path: string): string => {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined) throw new CommandError(`There is no file ${path}.`)
  if (!found.isFile()) throw new CommandError(`${path} is not a file.`)
  return path
}

/** @throws CommandError for a file that is missing, no JSON or no mapping */
const mappingIn = (path: string | undefined): FileMapping | undefined => {
  if (path === undefined) return undefined
  let sent: unknown
  try {
    sent = JSON.parse(readFileSync(fileAt(path), 'utf8'))
  } catch (error) {
    if (error instanceof CommandError) throw error
    throw new CommandError(`The mapping ${path} is not valid JSON.`)
  }
  const result = FileMapping.safeParse(sent)
  if (result.success) return result.data
  const places = result.error.issues.map(({ path: at, message }) => `${at.join('.')}: ${message}`)
  throw new CommandError(`The mapping ${path} is not one: ${places.join('; ')}.`)
}

/** @throws UsageError for a file whose name tells no format that can be read */
const checkName = (name: string): void => {
  if (name === '-') throw new UsageError('Rows are read from a file, not from standard input: write them to one first.')
  try {
    formatOf({ name })
  } catch (error) {
    throw error instanceof Problem ? new UsageError(`${error.data.detail}.`) : error
  }
}

/** Ends an import when it is asked: behind the batch that is being written, or at once where none is or it is asked again. */
const endingOf = (dryRun: boolean) => {
  const ended = new AbortController()
  let scratch: string | null = null
  let isWriting = false
  const done = whenAsked(() => {
    if (isWriting && !ended.signal.aborted) return ended.abort()
    if (scratch !== null) rmSync(scratch, { recursive: true, force: true, maxRetries: 3 })
    endEarly(isWriting ? 'Ended: the batches before are stored.' : 'Ended before anything was written.')
  })
  return {
    signal: ended.signal,
    onScratch: (folder: string) => {
      scratch = folder
    },
    begins: () => {
      isWriting = !dryRun
    },
    done,
  }
}

const shown = ({ row, line, column, reason }: RowFault): string =>
  printable(`Row ${row} (line ${line})${column === null ? '' : `, column ${JSON.stringify(column)}`}: ${reason}`)

export const importRecords: CliCommand = {
  names: ['import'],
  summary: 'Write the rows of a file into a dataset as records. Works while the server runs.',
  options: {
    dataset: { type: 'string', shows: 'NAME', about: 'The dataset, by its name or id. Must be given.' },
    workspace: { type: 'string', shows: 'NAME', about: 'Where the dataset is, when several have its name.' },
    mapping: {
      type: 'string',
      shows: 'FILE',
      about: 'JSON that says which column becomes what [by the names of the columns].',
    },
    'name-rows': {
      type: 'string',
      shows: 'NAME',
      about:
        'What rows without an id are called: NAME_1, NAME_2 … Those of that name are changed [new ones by the name of the file].',
    },
    'dry-run': { type: 'boolean', about: 'Only check all rows; write nothing.' },
    json: { type: 'boolean', about: 'Print the outcome with every bad row as JSON.' },
  },
  positionals: ['file'],
  flags: 'data',
  store: 'current',
  run: ({ config, values, positionals: [given = ''] }) => {
    const name = textOf(values, 'dataset')
    if (name === undefined) throw new UsageError(`'postil import' needs --dataset NAME: see postil import --help.`)
    checkName(given)
    const path = fileAt(given)
    const mapping = mappingIn(textOf(values, 'mapping'))
    const dryRun = values['dry-run'] === true
    const asJson = values.json === true
    return withContext(config, async (ctx) => {
      const dataset = await chosen(ctx, name, textOf(values, 'workspace'))
      const faults: RowFault[] = []
      const progress = progressOn(process.stderr, { amount: sizeOf })
      const onFaults = (some: readonly RowFault[]) => {
        if (some.length > 0) progress.end()
        for (const fault of some) {
          if (!asJson && faults.length < SHOWN) process.stderr.write(`${shown(fault)}\n`)
          faults.push(fault)
        }
      }
      const ending = endingOf(dryRun)
      const onProgress = (done: number, total: number) => {
        ending.begins()
        progress.tell(basename(path), done, total)
      }
      const act = asAct(ctx, { ...startImport, path: listImports.path }, { dataset_id: dataset.id }, { file: basename(path) })
      const outcome = await importLocal(dryRun ? ctx : act, OPERATOR, {
        path,
        dataset_id: dataset.id,
        mapping,
        named: textOf(values, 'name-rows'),
        dryRun,
        onNamed: (named) => {
          if (!dryRun && !asJson) say(printable(`Rows are called ${named}_1, ${named}_2 …`))
        },
        onFaults,
        onProgress,
        onScratch: ending.onScratch,
        signal: ending.signal,
      }).finally(ending.done)
      progress.end()
      const { rows, created, updated, failed, stopped, named, interrupted } = outcome
      if (asJson) say(JSON.stringify({ dataset_id: dataset.id, dry_run: dryRun, ...outcome, errors: faults }))
      else {
        if (failed > SHOWN) process.stderr.write(`… and ${failed - SHOWN} more: --json lists them all.\n`)
        if (stopped !== null) process.stderr.write(`${printable(stopped)}.\n`)
        const did = dryRun ? 'nothing was written' : `${created} records created, ${updated} updated`
        say(`${rows} rows of ${path} read: ${did}, ${failed} rows refused.`)
        if (interrupted) {
          say(printable(`What was read is stored. The same command with --name-rows ${JSON.stringify(named)} goes on.`))
        }
      }
      return failed > 0 || stopped !== null ? 1 : 0
    })
  },
}
