import { basename } from 'node:path'
import { downloadRecords, fileFormats } from '@postil/contract/files/files.ts'
import { download } from '#features/files/service.ts'
import { checked } from './asked/checked.ts'
import { chosen } from './asked/chosen.ts'
import { newFile, noRoomFor, sizeOf, writeOut, writeWhole } from './asked/whole-file.ts'
import { type CliCommand, jsonOption, tell, textOf, type Values } from './command.ts'
import { progressOn } from './told/progress.ts'
import { asAct, OPERATOR, withContext } from './with-context.ts'

/** A dataset's name may hold what a file's name must not. */
const fileName = (name: string): string => name.replace(/[\p{C}\p{Zl}\p{Zp}/\\:*?"<>|]/gu, '_').replace(/^[.-]/, '_')

const wantedOf = (values: Values) =>
  checked(downloadRecords.query, {
    format: textOf(values, 'format'),
    shape: textOf(values, 'shape'),
    question: textOf(values, 'question'),
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
  names: ['export'],
  summary: 'Write the records of a dataset with all answers into a file. Works while the server runs.',
  options: {
    workspace: { type: 'string', shows: 'NAME', about: 'Where the dataset is, when several have its name.' },
    format: { type: 'string', default: 'jsonl', shows: 'NAME', about: `One of ${fileFormats.join(', ')} [jsonl].` },
    shape: {
      type: 'string',
      default: 'wide',
      shows: 'NAME',
      about: 'wide: a row for each record, long: one for each answer [wide].',
    },
    question: { type: 'string', shows: 'NAME', about: 'For conll and spacy: the span question, when there are several.' },
    'escape-formulas': { type: 'boolean', about: 'For csv that a spreadsheet opens: keep cells from being formulas.' },
    output: { type: 'string', shows: 'FILE', about: "Where to; '-' is standard output [a file named like the dataset, here]." },
    force: { type: 'boolean', about: 'Replace the file.' },
    ...jsonOption,
  },
  positionals: ['dataset'],
  flags: 'data',
  store: 'current',
  run: ({ config, values, positionals: [given = ''] }) => {
    const wanted = wantedOf(values)
    const force = values.force === true
    const output = textOf(values, 'output')
    return withContext(config, async (ctx) => {
      const dataset = await chosen(ctx, given, textOf(values, 'workspace'))
      const act = asAct(ctx, downloadRecords, { dataset_id: dataset.id }, wanted)
      const file = await download(act, OPERATOR, dataset.id, wanted)
      if (output === '-') {
        await writeOut(file.chunks)
        return 0
      }
      const path = newFile(output ?? fileName(file.name), force)
      const progress = progressOn(process.stderr, { amount: sizeOf })
      const told = (bytes: number) => progress.tell(basename(path), bytes, null)
      const bytes = await writeWhole(path, counted(file.chunks, told), force).finally(progress.end).catch(noRoomFor(path))
      const document = { dataset_id: dataset.id, file: path, bytes }
      tell(values, document, `Exported ${JSON.stringify(dataset.name)} to ${path} (${sizeOf(bytes)}).`)
      return 0
    })
  },
}
