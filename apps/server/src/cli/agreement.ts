import type { QuestionAgreement } from '@postil/contract/agreement.ts'
import { agreementOf } from '#features/agreement/public.ts'
import type { CliCommand } from './command.ts'
import { jsonOption, printResult, textOf } from './command.ts'
import { findDataset } from './input/find-dataset.ts'
import { columns } from './output/printable.ts'
import { OPERATOR, withContext } from './with-context.ts'

const HEAD = ['QUESTION', 'MEASURE', 'VALUE', '95% INTERVAL', 'RECORDS', 'ANSWERS', 'PEOPLE']

const rounded = (value: number): string => value.toFixed(3)

const rowOf = ({ name, measure, value, reason, interval, units, answers, raters }: QuestionAgreement): string[] => [
  name,
  measure ?? '-',
  value === null ? (reason ?? '-') : rounded(value),
  interval === null ? '-' : interval.map(rounded).join(' to '),
  String(units),
  String(answers),
  String(raters),
]

export const agreement: CliCommand = {
  options: {
    workspace: {
      type: 'string',
      placeholder: 'NAME',
      about: 'Workspace of the dataset. Required if several datasets have this name.',
    },
    ...jsonOption,
  },
  positionals: ['dataset'],
  flags: 'data',
  store: 'current',
  run: ({ config, values, positionals: [datasetName = ''] }) =>
    withContext(config, async (ctx) => {
      const dataset = await findDataset(ctx, datasetName, textOf(values, 'workspace'))
      const found = await agreementOf(ctx, OPERATOR, dataset.id, { raters: 'humans', fresh: true })
      printResult(values, found, ...columns([HEAD, ...found.questions.map(rowOf)]))
      return 0
    }),
}
