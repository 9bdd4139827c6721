import type { StatementSync } from 'node:sqlite'
import { roleToken } from '#platform/text/evaluate.ts'
import type { Expr } from '#platform/text/tree.ts'
import { printer, type TokenPrinter } from '../text/index-tokens.ts'
import type { TextChange, TextIndex } from '../text/text-index.ts'
import { countChanges } from '../text/token-counts.ts'
import type { Statements } from './driver.ts'

/**
 * Number of columns in the full-text table. The last column is shared by all remaining fields. The table's tokenizer only splits
 * the text at spaces. It leaves tokens as they are: it changes only uppercase ASCII letters, and tokens contain none.
 */
const COLUMNS = 8
const OVERFLOW = COLUMNS - 1
const columns = Array.from({ length: COLUMNS }, (_, i) => `c${i}`)

/**
 * Exclusive upper limit of dataset numbers. A `rowid` is the dataset number times 2⁴⁰ plus `seq`, and must fit in a signed 64-bit
 * integer.
 */
const MAX_DATASET_NO = 2 ** 23
const rowid = (datasetNo: number, seq: number): bigint => {
  if (datasetNo >= MAX_DATASET_NO) throw new Error(`dataset number ${datasetNo} exceeds the limit of the text index`)
  return (BigInt(datasetNo) << 40n) + BigInt(seq)
}

/**
 * Adds the prefix of `print` to each token and joins the tokens with spaces. Role tokens, the only ones that contain `=`, must
 * also be encoded. If there are none, the prefix is added to all tokens at once, which is faster.
 */
const joined = (tokens: readonly string[], print: TokenPrinter): string => {
  if (tokens.length === 0) return ''
  const prefix = print('')
  const text = prefix + tokens.join(` ${prefix}`)
  return text.includes('=') ? tokens.map(print).join(' ') : text
}

/**
 * The text of each column: tokens separated by spaces. In the shared column, each field's tokens appear a second time with the
 * number of the field, so that a search can be limited to one field.
 */
const columnsOf = (datasetNo: number, { after }: TextChange): (string | null)[] => {
  const plain = printer(datasetNo)
  const texts: (string | null)[] = columns.map(() => null)
  for (const { field, tokens } of after ?? []) {
    if (field < OVERFLOW) texts[field] = joined(tokens, plain)
    else {
      const shared = `${joined(tokens, plain)} ${joined(tokens, printer(datasetNo, field))}`
      texts[OVERFLOW] = texts[OVERFLOW] === null ? shared : `${texts[OVERFLOW]} ${shared}`
    }
  }
  return texts
}

const quoted = (...tokens: string[]): string => `"${tokens.join(' ').replaceAll('"', '""')}"`

/** Converts an expression to FTS5 syntax. */
const matchOf = (expr: Expr, print: TokenPrinter): string => {
  const any = (nodes: readonly string[], operator: string) => `(${nodes.join(operator)})`
  if (expr.kind === 'token') return quoted(print(expr.token))
  if (expr.kind === 'role') return quoted(print(roleToken(expr.role)))
  if (expr.kind === 'prefix') return `${quoted(print(expr.prefix))} *`
  if (expr.kind === 'phrase') return quoted(...expr.tokens.map(print))
  if (expr.kind === 'any')
    return any(
      expr.tokens.map((token) => quoted(print(token))),
      ' OR ',
    )
  if (expr.kind === 'and')
    return any(
      expr.nodes.map((node) => matchOf(node, print)),
      ' AND ',
    )
  if (expr.kind === 'or')
    return any(
      expr.nodes.map((node) => matchOf(node, print)),
      ' OR ',
    )
  if (expr.kind === 'minus') return `(${matchOf(expr.from, print)} NOT ${matchOf(expr.less, print)})`
  throw new Error(`${expr.kind} cannot be converted to a match expression`)
}

const match = (expr: Expr, datasetNo: number, field: number | null): string => {
  if (field === null) return matchOf(expr, printer(datasetNo))
  if (field >= OVERFLOW) return matchOf(expr, printer(datasetNo, field))
  return `{c${field}} : (${matchOf(expr, printer(datasetNo))})`
}

/** One insert statement for each number of columns, because inserting even an empty column takes time. */
const inserts = columns.map((_, last) => {
  const some = columns.slice(0, last + 1)
  return `insert into record_text (rowid, ${some.join(', ')}) values (?, ${some.map(() => '?').join(', ')})`
})

const writer = (statements: Statements): TextIndex['index'] => {
  return async (_sql, datasetNo, changes, counts) => {
    const remove = statements.many('delete from record_text where rowid = ?')
    const prepared: StatementSync[] = []
    const add = (id: bigint, texts: readonly (string | null)[]) => {
      const last = texts.findLastIndex((text) => text !== null)
      prepared[last] ??= statements.get(inserts[last] as string).statement
      prepared[last].run(id, ...texts.slice(0, last + 1))
    }
    for (const change of changes) {
      if (change.before !== null && change.before.length > 0) remove([rowid(datasetNo, change.seq)])
      if (change.after !== null && change.after.length > 0) add(rowid(datasetNo, change.seq), columnsOf(datasetNo, change))
    }
    const counted = counts ?? countChanges(changes)
    statements.insert(
      {
        into: 'insert into dataset_tokens (dataset_no, token, df)',
        after: 'on conflict (dataset_no, token) do update set df = df + excluded.df',
      },
      3,
      counted,
      ({ token, df }, values) => values.push(datasetNo, token, df),
    )
    const forget = statements.many('delete from dataset_tokens where dataset_no = ? and token = ? and df <= 0')
    for (const { token, df } of counted) if (df < 0) forget([datasetNo, token])
  }
}

/** Full-text index with FTS5, without a copy of the text. */
export const textIndexOn = (statements: Statements): TextIndex => ({
  index: writer(statements),
  purge: async (_sql, datasetNo, from, to) => {
    statements.run('delete from record_text where rowid between ? and ?', [rowid(datasetNo, from), rowid(datasetNo, to)])
  },
  listed: async (_sql, datasetNo, from, to) => {
    const { rows } = statements.run(`select group_concat(rowid - ?, ',') as seqs from record_text where rowid between ? and ?`, [
      rowid(datasetNo, 0),
      rowid(datasetNo, from),
      rowid(datasetNo, to),
    ])
    return (rows[0] as { seqs: string | null } | undefined)?.seqs ?? ''
  },
  hits: async (_sql, datasetNo, expr, { field, from }) => {
    if (expr.kind === 'none') return ''
    const { rows } = statements.run(
      `select group_concat(rowid - ?, ',') as seqs from record_text where record_text match ? and rowid >= ? and rowid < ?`,
      [rowid(datasetNo, 0), match(expr, datasetNo, field), rowid(datasetNo, from), rowid(datasetNo + 1, 0)],
    )
    return (rows[0] as { seqs: string | null } | undefined)?.seqs ?? ''
  },
})
