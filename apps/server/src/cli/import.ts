import { readFileSync, rmSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import { type Encoding, encodings } from '@postil/contract/files/encodings.ts'
import { type ReadAs, readAs } from '@postil/contract/files/foreign-formats.ts'
import { type TextUnit, textUnits } from '@postil/contract/files/import-formats.ts'
import type { RowFault } from '@postil/contract/files/imports.ts'
import { type AnnotatorMapping, FileMapping, listImports, MAX_HEADING_ROW, startImport } from '@postil/contract/files/imports.ts'
import { leftOutParts } from '@postil/contract/files/left-out-parts.ts'
import { Problem } from '@postil/contract/wire/errors.ts'
import {
  formatOf,
  type Inspected,
  importLocal,
  type LocalOutcome,
  noDelimiter,
  possibleAnswerers,
} from '#features/imports/public.ts'
import { type CliCommand, CommandError, printLine, textOf, UsageError } from './command.ts'
import { annotatorLines, chooseAnnotators, wantedAnnotators } from './input/annotators.ts'
import { findDataset } from './input/find-dataset.ts'
import { sizeOf } from './input/output-file.ts'
import { printable } from './output/printable.ts'
import { createProgress } from './output/progress.ts'
import { exitEarly, onSignal } from './signals.ts'
import { OPERATOR, withAuditedCall, withContext } from './with-context.ts'

/** Maximum number of invalid rows to show. `--json` shows all of them. */
const SHOWN = 20

const fileAt = (path: string): string => {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined) throw new CommandError(`The file ${path} does not exist.`)
  if (!found.isFile()) throw new CommandError(`${path} is not a file.`)
  return path
}

/** @throws CommandError for a file that is missing, is not JSON or is not a mapping */
const mappingIn = (path: string | undefined): FileMapping | undefined => {
  if (path === undefined) return undefined
  let sent: unknown
  try {
    sent = JSON.parse(readFileSync(fileAt(path), 'utf8'))
  } catch (error) {
    if (error instanceof CommandError) throw error
    throw new CommandError(`The mapping file ${path} is not valid JSON.`)
  }
  const result = FileMapping.safeParse(sent)
  if (result.success) return result.data
  const places = result.error.issues.map(({ path: at, message }) => `${at.join('.')}: ${message}`)
  throw new CommandError(`The mapping file ${path} is not valid: ${places.join('; ')}.`)
}

/** @throws UsageError for a file name without a supported extension */
const checkName = (name: string): void => {
  if (name === '-') throw new UsageError('Standard input is not supported. Write the rows to a file first.')
  try {
    formatOf({ name })
  } catch (error) {
    throw error instanceof Problem ? new UsageError(`${error.data.detail}.`) : error
  }
}

/** @throws UsageError for an unknown format */
const readAsIn = (format: string | undefined): ReadAs | undefined => {
  if (format === undefined) return undefined
  const found = readAs.find((one) => one === format.toLowerCase().replace('-', '_'))
  if (found === undefined) throw new UsageError(`The format ${format} is not one of ${readAs.join(', ')}.`)
  return found
}

/** The values of `--format` for formats in which records are traces. */
const traceFormats: { readonly [name: string]: ReadAs } = {
  otlp: 'otlp',
  langfuse: 'langfuse_traces',
  phoenix: 'phoenix_traces',
  messages: 'message_traces',
}

/** @throws UsageError for an unknown format, or if another option says how to read the file */
const traceFormatIn = (name: string | undefined, as: ReadAs | undefined): ReadAs | undefined => {
  if (name === undefined) return as
  const names = Object.keys(traceFormats)
  const found = names.find((one) => one === name.toLowerCase())
  if (found === undefined) throw new UsageError(`The format ${name} is not one of ${names.join(', ')}.`)
  if (as !== undefined) throw new UsageError('--format and --read-as cannot be used together.')
  return traceFormats[found]
}

/** @throws UsageError for an unknown encoding */
const encodingIn = (name: string | undefined): Encoding | undefined => {
  if (name === undefined) return undefined
  const found = encodings.find((one) => one === name.toLowerCase())
  if (found === undefined) throw new UsageError(`The encoding ${name} is not one of ${encodings.join(', ')}.`)
  return found
}

/** Names of separators that are hard to type in a shell. */
const SEPARATORS: { readonly [name: string]: string } = { tab: '\t', none: noDelimiter }

/** @throws UsageError for anything but one ASCII character */
const separatorIn = (sent: string | undefined): string | undefined => {
  if (sent === undefined) return undefined
  const separator = SEPARATORS[sent.toLowerCase()] ?? sent
  if (!/^[\0\t -~]$/.test(separator)) throw new UsageError('The separator must be one ASCII character, tab or none.')
  return separator
}

/** @throws UsageError for anything but a whole number */
const headingRowIn = (sent: string | undefined): number | undefined => {
  if (sent === undefined) return undefined
  const row = /^\d{1,7}$/.test(sent) ? Number(sent) : Number.NaN
  if (!(row <= MAX_HEADING_ROW))
    throw new UsageError(`The heading row must be a whole number up to ${MAX_HEADING_ROW}. Use 0 if there is no heading.`)
  return row
}

/** @throws UsageError for an unknown unit */
const unitIn = (name: string | undefined): TextUnit | undefined => {
  if (name === undefined) return undefined
  const found = textUnits.find((one) => one === name.toLowerCase())
  if (found === undefined) throw new UsageError(`The unit ${name} is not one of ${textUnits.join(', ')}.`)
  return found
}

/** Describes what is unusual about how the file is read: damaged bytes, another encoding, or the position of the heading. */
const readingLines = ({ encoding, damagedAt, headingRow }: Inspected['layout']): readonly string[] => [
  ...(damagedAt === undefined ? [] : [`Some bytes are not valid UTF-8 and were replaced. The first one is byte ${damagedAt}.`]),
  ...(encoding === undefined || encoding === 'utf-8' ? [] : [`Read as ${encoding}. If characters are wrong, use --encoding.`]),
  ...(headingRow === undefined || headingRow === 1
    ? []
    : [headingRow === 0 ? 'Read without a heading. To choose one, use --heading-row.' : `The heading is on line ${headingRow}.`]),
]

/** The line that reports that a file was recognized as another program's format. */
const recognizedLines = ({ recognized, contents }: Pick<Inspected, 'recognized' | 'contents'>): readonly string[] => {
  if (recognized === null) return []
  return contents === null
    ? [`The content looks like ${recognized}, but is read as a plain table.`]
    : [`Recognized as ${recognized}. To read the file as a plain table, use --read-as plain.`]
}

/** The parts of a recognized file that are not imported. */
const leftOutLines = (contents: Inspected['contents'], annotators: readonly AnnotatorMapping[]): readonly string[] => {
  const parts = leftOutParts(contents?.left_out ?? [], annotators)
  const lines = parts.map(({ part, reason, rows }) => `  ${part}: ${reason}, ${rows} rows`)
  return lines.length === 0 ? [] : ['Not imported:', ...lines]
}

/**
 * Handles signals to stop an import (for example, Ctrl+C). After the first signal, the batch that is being written is completed.
 * A second signal stops the import immediately, and so does the first one if no batch is being written.
 */
const endingOf = (dryRun: boolean) => {
  const ended = new AbortController()
  let scratch: string | null = null
  let isWriting = false
  const done = onSignal(() => {
    if (isWriting && !ended.signal.aborted) return ended.abort()
    if (scratch !== null) rmSync(scratch, { recursive: true, force: true, maxRetries: 3 })
    exitEarly(isWriting ? 'Stopped. Completed batches were saved.' : 'Stopped. Nothing was written.')
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

/** Lists the people who wrote annotations or comments but aren't named in the options, and how to import what they wrote. */
const unmappedLines = (people: NonNullable<NonNullable<LocalOutcome['answers']>['unmapped_annotators']>): readonly string[] => {
  if (people.length === 0) return []
  const lines = people.map(({ name, annotations, comments = 0 }) => {
    const counts = [`${annotations} annotations`, ...(comments > 0 ? [`${comments} comments`] : [])].join(', ')
    return `  ${name === '' ? 'without a name' : name}: ${counts}`
  })
  return [
    'These people are not in the first rows of the file, so no users were chosen for them:',
    ...lines,
    'To import their comments, and their annotations as answers, import the file again and name these people in --users.',
  ]
}

/** Prints a human-readable report of an import. */
const printOutcome = (
  path: string,
  { rows, created, updated, failed, answers, comments, later_columns, stopped, named, interrupted }: LocalOutcome,
  dryRun: boolean,
): void => {
  if (failed > SHOWN) process.stderr.write(`… and ${failed - SHOWN} more. Use --json to list all.\n`)
  if (stopped !== null) process.stderr.write(`${printable(stopped)}.\n`)
  const did = dryRun ? 'nothing was written' : `${created} records created, ${updated} updated`
  printLine(`Read ${rows} rows of ${path}: ${did}, ${failed} rows rejected.`)
  if (answers !== null) {
    const { stored, kept, invalid, left_out, unmapped } = answers
    const imported = dryRun ? '' : `${stored} answers imported, ${kept} existing answers kept, `
    printLine(`${imported}${invalid} invalid, ${left_out} left out, ${unmapped} used as suggestions.`)
    for (const line of unmappedLines(answers.unmapped_annotators ?? [])) printLine(printable(line))
  }
  if (comments !== null) {
    const imported = dryRun ? '' : `${comments.stored} comments imported, ${comments.kept} existing comments kept, `
    printLine(`Comments: ${imported}${comments.invalid} invalid, ${comments.left_out} left out.`)
  }
  if (later_columns.length > 0) {
    const listed = later_columns.map((name) => JSON.stringify(name)).join(', ')
    printLine(printable(`Not imported, because these columns are not in the first rows of the file: ${listed}.`))
  }
  if (interrupted) {
    printLine(
      printable(`The rows read so far were saved. To continue, run the same command with --name-rows ${JSON.stringify(named)}.`),
    )
  }
}

export const importRecords: CliCommand = {
  options: {
    dataset: { type: 'string', placeholder: 'NAME', about: 'Name or ID of the dataset. Required.' },
    workspace: {
      type: 'string',
      placeholder: 'NAME',
      about: 'Workspace of the dataset. Required if several datasets have this name.',
    },
    mapping: {
      type: 'string',
      placeholder: 'FILE',
      about: 'JSON file that maps columns to the dataset [matched by column name].',
    },
    as: {
      type: 'string',
      placeholder: 'USE',
      about: 'What annotations of other programs become: answers or suggestions [suggestions].',
    },
    users: {
      type: 'string',
      placeholder: 'LIST',
      about:
        'Authors of the answers: ANNOTATOR=USERNAME, …; * for all others; no username to leave annotations out [matched by name].',
    },
    format: {
      type: 'string',
      placeholder: 'FORMAT',
      about: `Import each agent trace as a record. Format: ${Object.keys(traceFormats).join(', ')} [recognized by content].`,
    },
    'read-as': {
      type: 'string',
      placeholder: 'FORMAT',
      about: `How to read the file: ${readAs.join(', ')} [recognized by content].`,
    },
    encoding: {
      type: 'string',
      placeholder: 'ENCODING',
      about:
        'Encoding of a text file, for example windows-1252 or shift_jis. With utf-8, invalid bytes are replaced [recognized by content].',
    },
    separator: {
      type: 'string',
      placeholder: 'CHARACTER',
      about: "Separator between the cells of a table: a character, 'tab' or 'none' [recognized by content].",
    },
    'heading-row': {
      type: 'string',
      placeholder: 'LINE',
      about: 'Number of the line in the file or sheet that contains the column names, or 0 for none [recognized by content].',
    },
    unit: {
      type: 'string',
      placeholder: 'UNIT',
      about: `What becomes a record in a .txt file: ${textUnits.join(', ')} [recognized by content, else line].`,
    },
    'name-rows': {
      type: 'string',
      placeholder: 'NAME',
      about:
        'Prefix for the IDs of rows without an ID: NAME_1, NAME_2, … Existing records with these IDs are updated [a new prefix based on the file name].',
    },
    'dry-run': { type: 'boolean', about: 'Check all rows without writing anything.' },
    json: { type: 'boolean', about: 'Print the result and all invalid rows as JSON.' },
  },
  positionals: ['file'],
  flags: 'data',
  store: 'current',
  run: ({ config, values, positionals: [datasetName = ''] }) => {
    const name = textOf(values, 'dataset')
    if (name === undefined) throw new UsageError(`'postil import' requires --dataset NAME. See 'postil import --help'.`)
    checkName(datasetName)
    const path = fileAt(datasetName)
    const mapping = mappingIn(textOf(values, 'mapping'))
    const reading = {
      as: traceFormatIn(textOf(values, 'format'), readAsIn(textOf(values, 'read-as'))),
      encoding: encodingIn(textOf(values, 'encoding')),
      separator: separatorIn(textOf(values, 'separator')),
      heading_row: headingRowIn(textOf(values, 'heading-row')),
      unit: unitIn(textOf(values, 'unit')),
    }
    const wanted = wantedAnnotators(textOf(values, 'as'), textOf(values, 'users'))
    const dryRun = values['dry-run'] === true
    const asJson = values.json === true
    return withContext(config, async (ctx) => {
      const dataset = await findDataset(ctx, name, textOf(values, 'workspace'))
      const people = wanted.as === 'answers' ? await ctx.store.read(possibleAnswerers, { dataset_id: dataset.id }) : []
      const annotators: AnnotatorMapping[] = []
      const faults: RowFault[] = []
      const progress = createProgress(process.stderr, { amount: sizeOf })
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
        progress.report(basename(path), done, total)
      }
      const act = withAuditedCall(ctx, { ...startImport, path: listImports.path }, { dataset_id: dataset.id }, () => ({
        file: basename(path),
        mapping: { annotators },
      }))
      const outcome = await importLocal(dryRun ? ctx : act, OPERATOR, {
        path,
        dataset_id: dataset.id,
        mapping,
        named: textOf(values, 'name-rows'),
        reading,
        onRecognized: (found) => {
          if (asJson) return
          for (const line of [...readingLines(found.layout), ...recognizedLines(found)]) printLine(printable(line))
        },
        chooseAnnotators: (contents) => {
          annotators.push(...chooseAnnotators(wanted, contents, people))
          const lines = [...annotatorLines(annotators, people), ...leftOutLines(contents, annotators)]
          if (!asJson) for (const line of lines) printLine(printable(line))
          return annotators.length === 0 ? undefined : annotators
        },
        dryRun,
        onNamed: (named) => {
          if (!dryRun && !asJson) printLine(printable(`Rows without an ID are named ${named}_1, ${named}_2, …`))
        },
        onFaults,
        onProgress,
        onScratch: ending.onScratch,
        signal: ending.signal,
      }).finally(ending.done)
      progress.end()
      const { failed, stopped } = outcome
      if (asJson) printLine(JSON.stringify({ dataset_id: dataset.id, dry_run: dryRun, ...outcome, errors: faults }))
      else {
        printOutcome(path, outcome, dryRun)
      }
      return failed > 0 || (outcome.answers?.invalid ?? 0) + (outcome.comments?.invalid ?? 0) > 0 || stopped !== null ? 1 : 0
    })
  },
}
