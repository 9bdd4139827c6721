import { basename } from 'node:path'
import { downloadFormats, downloadRecords } from '@postil/contract/files/files.ts'
import { trainingFormats } from '@postil/contract/files/training-files.ts'
import { download } from '#features/exports/public.ts'
import { type CliCommand, jsonOption, printResult, textOf, type Values } from './command.ts'
import { findDataset } from './input/find-dataset.ts'
import { asNoSpaceError, checkNewFile, sizeOf, writeFileAtomically, writeToStdout } from './input/output-file.ts'
import { parseInput } from './input/parse-input.ts'
import { createProgress } from './output/progress.ts'
import { OPERATOR, withAuditedCall, withContext } from './with-context.ts'

/** Replaces characters that are valid in a dataset name but not in a file name. */
const fileName = (name: string): string => name.replace(/[\p{C}\p{Zl}\p{Zp}/\\:*?"<>|]/gu, '_').replace(/^[.-]/, '_')

const optionsOf = (values: Values) =>
  parseInput(downloadRecords.query, {
    format: textOf(values, 'format'),
    shape: textOf(values, 'shape'),
    question: textOf(values, 'question'),
    overlaps: textOf(values, 'overlaps'),
    escape_formulas: values['escape-formulas'] === true,
  })

async function* counted(chunks: AsyncIterable<Uint8Array>, tell: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  let bytes = 0
  for await (const chunk of chunks) {
    bytes += chunk.length
    tell(bytes)
    yield chunk
  }
}

export const exportDataset: CliCommand = {
  options: {
    workspace: {
      type: 'string',
      placeholder: 'NAME',
      about: 'Workspace of the dataset. Required if several datasets have this name.',
    },
    format: { type: 'string', default: 'jsonl', placeholder: 'NAME', about: `One of ${downloadFormats.join(', ')} [jsonl].` },
    shape: {
      type: 'string',
      default: 'wide',
      placeholder: 'NAME',
      about:
        'wide: one row per record; long: one row per answer; final: one row per record with its final answers. ' +
        'In formats of other programs, wide and long contain each submitted answer, and final contains the final answers [wide].',
    },
    question: {
      type: 'string',
      placeholder: 'NAME',
      about: `For ${trainingFormats.join(', ')}: the question whose answers the file contains. Required if several fit.`,
    },
    overlaps: {
      type: 'string',
      default: 'refuse',
      placeholder: 'NAME',
      about: 'For conll, if spans overlap: refuse (write no file) or longest (keep only the longest span) [refuse].',
    },
    'escape-formulas': { type: 'boolean', about: 'For csv: prevent spreadsheet programs from running cells as formulas.' },
    output: {
      type: 'string',
      placeholder: 'FILE',
      about: "Output file, or '-' for standard output [a file named after the dataset, in the current folder].",
    },
    force: { type: 'boolean', about: 'Replace an existing file.' },
    ...jsonOption,
  },
  positionals: ['dataset'],
  flags: 'data',
  store: 'current',
  run: ({ config, values, positionals: [datasetName = ''] }) => {
    const wanted = optionsOf(values)
    const force = values.force === true
    const output = textOf(values, 'output')
    return withContext(config, async (ctx) => {
      const dataset = await findDataset(ctx, datasetName, textOf(values, 'workspace'))
      const act = withAuditedCall(ctx, downloadRecords, { dataset_id: dataset.id }, wanted)
      const file = await download(act, OPERATOR, dataset.id, wanted)
      if (output === '-') {
        await writeToStdout(file.chunks)
        return 0
      }
      const path = checkNewFile(output ?? fileName(file.name), force)
      const progress = createProgress(process.stderr, { amount: sizeOf })
      const onBytes = (bytes: number) => progress.report(basename(path), bytes, null)
      const bytes = await writeFileAtomically(path, counted(file.chunks, onBytes), force)
        .finally(progress.end)
        .catch(asNoSpaceError(path))
      const document = { dataset_id: dataset.id, file: path, bytes }
      printResult(values, document, `Exported ${JSON.stringify(dataset.name)} to ${path} (${sizeOf(bytes)}).`)
      return 0
    })
  },
}
