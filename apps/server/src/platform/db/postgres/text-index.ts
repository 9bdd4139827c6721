import { CompiledQuery } from 'kysely'
import { roleToken } from '#platform/text/evaluate.ts'
import type { Expr, Leaf } from '#platform/text/tree.ts'
import type { Sql } from '../db.ts'
import { forEachSeq } from '../keys/seq-list.ts'
import { pipelineInOrder } from '../statements/pipeline.ts'
import { printer, type TokenPrinter } from '../text/index-tokens.ts'
import type { HitScope, TextChange, TextIndex } from '../text/text-index.ts'
import { countChanges } from '../text/token-counts.ts'
import { flush, ofDataset } from './functions.ts'
import { blocksOf, weightOf } from './text-blocks.ts'

type Printing = { readonly print: TokenPrinter; readonly weight: string }

const lexeme = (token: string, { print, weight }: Printing, prefix = ''): string => {
  const flags = prefix + weight
  return `'${print(token).replaceAll('\\', '\\\\').replaceAll("'", "''")}'${flags === '' ? '' : `:${flags}`}`
}

/** Converts an expression to `tsquery` syntax. */
const tsqueryOf = (expr: Expr, printing: Printing): string => {
  const join = (nodes: readonly string[], operator: string) => `(${nodes.join(operator)})`
  if (expr.kind === 'token') return lexeme(expr.token, printing)
  if (expr.kind === 'role') return lexeme(roleToken(expr.role), printing)
  if (expr.kind === 'prefix') return lexeme(expr.prefix, printing, '*')
  if (expr.kind === 'phrase')
    return join(
      expr.tokens.map((token) => lexeme(token, printing)),
      ' <-> ',
    )
  if (expr.kind === 'any')
    return join(
      expr.tokens.map((token) => lexeme(token, printing)),
      ' | ',
    )
  if (expr.kind === 'and')
    return join(
      expr.nodes.map((node) => tsqueryOf(node, printing)),
      ' & ',
    )
  if (expr.kind === 'or')
    return join(
      expr.nodes.map((node) => tsqueryOf(node, printing)),
      ' | ',
    )
  if (expr.kind === 'minus') return `(${tsqueryOf(expr.from, printing)} & !${tsqueryOf(expr.less, printing)})`
  throw new Error(`${expr.kind} cannot be converted to a text query`)
}

const run = async <R>(sql: Sql, text: string, parameters: readonly unknown[]): Promise<readonly R[]> =>
  (await sql.executeQuery<R>(CompiledQuery.raw(text, [...parameters]))).rows

/**
 * Finds matching records. With `long`, finds only records whose text is stored in several blocks. The query must then be a single
 * leaf, such as one phrase, because each block is matched separately. Without `long`, finds only records with one block.
 */
const select = async (sql: Sql, datasetNo: number, query: string, from: number, long: boolean): Promise<string> => {
  const rows = await run<{ seqs: string | null }>(
    sql,
    `select string_agg(seq::text, ',') as seqs from ${long ? '(select distinct seq from record_text' : 'record_text'}
      where ${long ? '' : 'not '}long and dataset_no = $1 and seq >= $2 and tsv @@ $3::tsquery${long ? ') found' : ''}`,
    [datasetNo, from, query],
  )
  return rows[0]?.seqs ?? ''
}

/**
 * Finds matches among long records, whose text is stored in several blocks. Searches for each word or phrase of the query
 * separately and combines the results, because different words may be in different blocks.
 */
const longHits = async (expr: Expr, find: (leaf: Leaf) => Promise<Set<number>>): Promise<Set<number>> => {
  if (expr.kind === 'none') return new Set()
  if (expr.kind === 'minus') return (await longHits(expr.from, find)).difference(await longHits(expr.less, find))
  if (expr.kind !== 'and' && expr.kind !== 'or') return find(expr)
  let found: Set<number> | null = null
  for (const node of expr.nodes) {
    const part: Set<number> = await longHits(node, find)
    if (found === null) found = part
    else found = expr.kind === 'and' ? found.intersection(part) : found.union(part)
  }
  return found ?? new Set()
}

const hits = async (sql: Sql, datasetNo: number, expr: Expr, { field, from }: HitScope): Promise<string> => {
  if (expr.kind === 'none') return ''
  const weight = field === null ? '' : weightOf(field)
  const printing = { print: printer(datasetNo, weight === null ? field : null), weight: weight ?? '' }
  const plain = await select(sql, datasetNo, tsqueryOf(expr, printing), from, false)
  const some = await run(sql, 'select 1 from record_text where long and dataset_no = $1 and seq >= $2 limit 1', [datasetNo, from])
  if (some.length === 0) return plain
  const long = await longHits(expr, async (leaf) => {
    const seqs = new Set<number>()
    forEachSeq(await select(sql, datasetNo, tsqueryOf(leaf, printing), from, true), (seq) => seqs.add(seq))
    return seqs
  })
  return [...(plain === '' ? [] : [plain]), ...long].join(',')
}

/**
 * Number of records per batch. On PostgreSQL, commands run on the main thread. While the database processes one batch, the next
 * is prepared and other requests run.
 */
const RECORDS_PER_BATCH = 100

const insertTexts = async (sql: Sql, datasetNo: number, changes: readonly TextChange[]): Promise<void> => {
  const rows = changes.flatMap(({ seq, after }) => {
    const blocks = after === null || after.length === 0 ? [] : blocksOf(datasetNo, after)
    return blocks.map((tsv, block) => ({ seq, block, long: blocks.length > 1, tsv }))
  })
  if (rows.length === 0) return
  await run(
    sql,
    `insert into record_text (dataset_no, seq, block, long, tsv) ${ofDataset(
      'unnest($2::int8[], $3::int4[], $4::boolean[], $5::text[]) as new (seq, block, long, tsv)',
      'new.seq, new.block, new.long, new.tsv::tsvector',
    )}`,
    [datasetNo, rows.map((r) => r.seq), rows.map((r) => r.block), rows.map((r) => r.long), rows.map((r) => r.tsv)],
  )
}

/** Full-text index: `tsvector` blocks in a GIN index. */
export const textIndex: TextIndex = {
  index: async (sql, datasetNo, changes, known) => {
    const gone = changes.filter(({ before }) => before !== null && before.length > 0).map(({ seq }) => seq)
    if (gone.length > 0)
      await run(sql, 'delete from record_text where dataset_no = $1 and seq = any($2::int8[])', [datasetNo, gone])
    const parts = Array.from({ length: Math.ceil(changes.length / RECORDS_PER_BATCH) }, (_, part) =>
      changes.slice(part * RECORDS_PER_BATCH, (part + 1) * RECORDS_PER_BATCH),
    )
    await pipelineInOrder(
      flush,
      parts.map((part) => () => insertTexts(sql, datasetNo, part)),
    )
    const counts = known ?? countChanges(changes)
    if (counts.length === 0) return
    await run(
      sql,
      `insert into dataset_tokens (dataset_no, token, df) ${ofDataset('unnest($2::text[], $3::int8[]) as new (token, df)')}
        on conflict (dataset_no, token) do update set df = dataset_tokens.df + excluded.df`,
      [datasetNo, counts.map(({ token }) => token), counts.map(({ df }) => df)],
    )
    const fewer = counts.filter(({ df }) => df < 0).map(({ token }) => token)
    if (fewer.length > 0)
      await run(sql, 'delete from dataset_tokens where dataset_no = $1 and token = any($2::text[]) and df <= 0', [
        datasetNo,
        fewer,
      ])
  },
  purge: async (sql, datasetNo, from, to) => {
    await run(sql, 'delete from record_text where dataset_no = $1 and seq between $2 and $3', [datasetNo, from, to])
  },
  listed: async (sql, datasetNo, from, to) => {
    const rows = await run<{ seqs: string | null }>(
      sql,
      `select string_agg(seq::text, ',') as seqs from (select distinct seq from record_text
        where dataset_no = $1 and seq between $2 and $3) as found`,
      [datasetNo, from, to],
    )
    return rows[0]?.seqs ?? ''
  },
  hits,
}
