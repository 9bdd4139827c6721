import type { Agreement, QuestionAgreement } from '@postil/contract/agreement.ts'
import { escapeFormula, quoteCell } from '@postil/contract/files/csv-cell.ts'

type Cell = string | number | null | undefined
type Row = { readonly [column in (typeof COLUMNS)[number]]?: Cell }

const COLUMNS = [
  'question',
  'table',
  'measure',
  'label',
  'user',
  'other_user',
  'value',
  'low',
  'high',
  'reason',
  'observed',
  'expected',
  'records',
  'single_records',
  'answers',
  'kappa',
] as const

type Names = { readonly usernames: ReadonlyMap<string, string> }

const rowsOf = (found: QuestionAgreement, { usernames }: Names): Row[] => {
  const question = found.name
  const nameOf = (id: string) => usernames.get(id) ?? id
  const [low, high] = found.interval ?? []
  return [
    {
      question,
      table: 'question',
      measure: found.measure,
      value: found.value,
      low,
      high,
      reason: found.reason,
      observed: found.observed,
      expected: found.expected,
      records: found.units,
      single_records: found.units_single,
      answers: found.answers,
    },
    ...found.secondary.map((one): Row => ({ question, table: 'measure', ...one })),
    ...found.labels.map(
      ({ value, alpha, count }): Row => ({
        question,
        table: 'label',
        label: value,
        measure: 'alpha_nominal',
        value: alpha,
        answers: count,
      }),
    ),
    ...found.users.map(
      ({ user_id, answers, with_others }): Row => ({
        question,
        table: 'user',
        user: nameOf(user_id),
        value: with_others,
        answers,
      }),
    ),
    ...found.pairs.map(
      ({ users: [a = '', b = ''], units, observed, kappa }): Row => ({
        question,
        table: 'pair',
        user: nameOf(a),
        other_user: nameOf(b),
        observed,
        records: units,
        kappa,
      }),
    ),
  ]
}

/** The agreement for all questions as one CSV file. The `table` column says what each row describes. */
export const agreementCsv = ({ questions }: Agreement, names: Names, escapeFormulas: boolean): string => {
  const print = (cell: Cell): string => {
    if (cell === null || cell === undefined) return ''
    if (typeof cell === 'number') return String(cell)
    return quoteCell(escapeFormulas ? escapeFormula(cell) : cell)
  }
  const rows = questions.flatMap((question) => rowsOf(question, names))
  const lines = [COLUMNS.join(','), ...rows.map((row) => COLUMNS.map((column) => print(row[column])).join(','))]
  return lines.map((line) => `${line}\r\n`).join('')
}
