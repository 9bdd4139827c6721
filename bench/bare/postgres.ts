import { setTimeout as sleep } from 'node:timers/promises'
import { indexKey } from '@postil/server/platform/db/keys/index-keys.ts'
import { openPostgres } from '@postil/server/platform/db/postgres/open.ts'
import { printer } from '@postil/server/platform/db/text/index-tokens.ts'
import pg from 'pg'
import { createDatabase } from '../../e2e/harness/database.ts'
import { timeOf } from '../lib/stats.ts'
import type { Bare, BareQuery, Batch, Rows } from './bare.ts'
import { FILTER, PAGE, SCORE, TABLES, WORDS } from './bare.ts'
import { documentCounts, tokensOf } from './tokens.ts'

type Row = { readonly [column: string]: unknown }

const ALL_TABLES = { ...TABLES, record_text: ['dataset_no', 'seq', 'block', 'long', 'tsv'] }

/**
 * The array type of each column. The default is text. Columns in `CASTS` are sent as text and cast in SQL, because the driver
 * doesn't support arrays of their types.
 */
const TYPES: { readonly [column: string]: string } = {
  id: 'uuid',
  dataset_no: 'int8',
  seq: 'int8',
  submitted: 'int8',
  shuffle: 'int8',
  inserted_at: 'int8',
  updated_at: 'int8',
  key: 'int8',
  number: 'float8',
  question_no: 'int8',
  setting_no: 'int8',
  raw: 'bytea',
  block: 'int4',
  long: 'boolean',
  df: 'int8',
}
const CASTS: { readonly [column: string]: string } = { tsv: 'tsvector', embedding: 'vector' }

const isIndexing = async (client: pg.Client): Promise<boolean> =>
  (await client.query('SELECT 1 FROM pg_stat_progress_create_index LIMIT 1')).rows.length > 0

const readBatches = async (source: pg.Client, datasetNo: number, size: number, most: number, from: number): Promise<Batch[]> => {
  const batches: Rows[][] = []
  const { rows: first } = await source.query<{ seq: string }>('SELECT min(seq) AS seq FROM records WHERE dataset_no = $1', [
    datasetNo,
  ])
  const start = Number(first[0]?.seq) + from * size
  for (const [table, columns] of Object.entries(ALL_TABLES)) {
    const list = columns.map((column) => (CASTS[column] ? `${column}::text` : column)).join(', ')
    for (let i = 0; i < most; i++) {
      const { rows } = await source.query<Row>(`SELECT ${list} FROM ${table} WHERE dataset_no = $1 AND seq >= $2 AND seq < $3`, [
        datasetNo,
        start + i * size,
        start + (i + 1) * size,
      ])
      if (rows.length === 0) break
      batches[i] ??= []
      batches[i]?.push({ table, columns, rows: rows.map((row) => columns.map((column) => row[column])) })
      if (table !== 'records') continue
      const indexed = tokensOf(
        datasetNo,
        rows.map(({ seq, fields }) => ({ seq: Number(seq), fields: String(fields) })),
      )
      const counts = documentCounts(indexed).map(([token, df]) => [datasetNo, token, df])
      batches[i]?.push({ table: 'dataset_tokens', columns: ['dataset_no', 'token', 'df'], rows: counts })
    }
  }
  return batches
}

const insertStatement = ({ table, columns }: Rows): string => {
  const arrays = columns.map((column, i) => `$${i + 1}::${TYPES[column] ?? 'text'}[]`).join(', ')
  const list = columns.map((column) => (CASTS[column] ? `"${column}"::${CASTS[column]}` : `"${column}"`)).join(', ')
  const names = columns.map((column) => `"${column}"`).join(', ')
  const counted =
    table === 'dataset_tokens' ? ' ON CONFLICT (dataset_no, token) DO UPDATE SET df = dataset_tokens.df + excluded.df' : ''
  return `INSERT INTO ${table} (${names}) SELECT ${list} FROM unnest(${arrays}) AS t (${names})${counted}`
}

const insertBatches = async (client: pg.Client, batches: readonly Batch[]): Promise<void> => {
  for (const batch of batches) {
    await client.query('BEGIN')
    for (const part of batch) {
      const values = part.columns.map((_, i) => part.rows.map((row) => row[i]))
      await client.query({ name: part.table, text: insertStatement(part), values })
    }
    await client.query('COMMIT')
  }
}

const RECORD = 'r.id, r.seq, r.external_id, r.status, r.fields, r.metadata, r.inserted_at, r.updated_at'

const queries = (client: pg.Client, no: number, key: (name: string) => number) => {
  const records = (inner: string) =>
    `SELECT ${RECORD} FROM (${inner}) p JOIN records r ON r.dataset_no = ${no} AND r.seq = p.seq ORDER BY p.place`
  const all = (name: string, text: string, ...values: unknown[]) => client.query<Row>({ name, text, values })
  const text = async (word: string) => {
    const query = `'${printer(no)(word)}'`
    const where = `FROM record_text WHERE NOT long AND dataset_no = ${no} AND tsv @@ $1::tsquery`
    await all('text-count', `SELECT count(*) ${where}`, query)
    await all('text-page', records(`SELECT seq, seq AS place ${where} ORDER BY seq LIMIT ${PAGE}`), query)
  }
  const narrow = async (name: string, where: string, ...values: unknown[]) => {
    await all(`${name}-count`, `SELECT count(*) FROM ${where}`, ...values)
    await all(
      `${name}-page`,
      records(`SELECT a.seq AS seq, a.seq AS place FROM ${where} ORDER BY a.seq LIMIT ${PAGE}`),
      ...values,
    )
  }
  const run: { readonly [Q in BareQuery]: (argument: string | number | undefined) => Promise<unknown> } = {
    next: async () => {
      await all(
        'next',
        `SELECT ${RECORD} FROM records r WHERE dataset_no = $1 AND status = 'pending' AND seq > $2 ORDER BY seq LIMIT 10`,
        no,
        100,
      )
      await all('counts', 'SELECT kind, sum(n) FROM dataset_counts WHERE dataset_no = $1 GROUP BY kind', no)
    },
    'text-rare': () => text(WORDS.rare),
    'text-medium': () => text(WORDS.medium),
    'text-common': () => text(WORDS.common),
    metadata: () =>
      narrow(
        'metadata',
        `record_terms a WHERE a.dataset_no = ${no} AND a.key = $1 AND a.value_key = $2 AND EXISTS (SELECT 1 FROM record_numbers b WHERE b.dataset_no = ${no} AND b.seq = a.seq AND b.key = $3 AND b.number BETWEEN $4 AND $5)`,
        key('section'),
        FILTER.section,
        key('installed_size'),
        FILTER.from,
        FILTER.to,
      ),
    score: () =>
      narrow('score', `record_numbers a WHERE a.dataset_no = ${no} AND a.key = $1 AND a.number >= $2`, key('score'), SCORE),
    sort: () => {
      const inner = `SELECT seq, row_number() OVER (ORDER BY number, seq) AS place FROM record_numbers WHERE dataset_no = ${no} AND key = $1 ORDER BY number, seq LIMIT ${PAGE}`
      return all('sort', records(inner), key('installed_size'))
    },
    similar: async () => {
      const { rows } = await all(
        'one-vector',
        'SELECT embedding::text AS v FROM vectors WHERE dataset_no = $1 ORDER BY seq LIMIT 1',
        no,
      )
      const inner = `SELECT seq, embedding <=> $1::vector AS place FROM vectors WHERE dataset_no = ${no} AND setting_no = $2 ORDER BY place LIMIT ${PAGE}`
      await all('similar', records(inner), rows[0]?.v, key('words'))
    },
    offset: (from) =>
      all(
        'offset',
        `SELECT ${RECORD} FROM records r WHERE dataset_no = $1 AND seq > $2 ORDER BY seq LIMIT ${PAGE}`,
        no,
        Number(from),
      ),
  }
  return run
}

const submitOn = (client: pg.Client, no: number, values: string) => async (i: number) => {
  const seq = i + 10
  const id = `00000000-0000-7000-8000-${String(seq).padStart(12, '0')}`
  const query = (name: string, text: string, parameters: unknown[]) => client.query({ name, text, values: parameters })
  await client.query('BEGIN')
  const columns = 'dataset_no, seq, user_id, id, record_id, "values", status, version, inserted_at, updated_at'
  await query('r', `INSERT INTO responses (${columns}) VALUES (${no}, $1, $2, $2, $2, $3, 'submitted', 1, 1, 1)`, [
    seq,
    id,
    values,
  ])
  await query('t', `INSERT INTO response_terms VALUES (${no}, 8, 'libs', $1, $2)`, [seq, id])
  await query('n', `INSERT INTO response_numbers VALUES (${no}, 16, 3.0, $1, $2)`, [seq, id])
  await query('u', `UPDATE records SET submitted = submitted + 1, updated_at = 2 WHERE dataset_no = ${no} AND seq = $1`, [seq])
  await query(
    'c',
    `INSERT INTO dataset_counts VALUES (${no}, $1, 'bench', 1) ON CONFLICT (dataset_no, slot, kind) DO UPDATE SET n = dataset_counts.n + 1`,
    [i % 16],
  )
  await client.query('COMMIT')
}

const connect = async (url: string): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return client
}

/** Opens the bare PostgreSQL driver on a copy of the server's data. */
export const barePostgres = async (databaseUrl: string, datasetId: string, values: string): Promise<Bare> => {
  const target = await createDatabase()
  await (await openPostgres({ url: target.url })).close()
  const client = await connect(target.url)
  const source = await connect(databaseUrl)
  const numberOf = async (table: string, name: string) => {
    const { rows } = await source.query<{ no: string }>(`SELECT no FROM ${table} WHERE dataset_id = $1 AND name = $2`, [
      datasetId,
      name,
    ])
    return Number(rows[0]?.no)
  }
  const { rows } = await source.query<{ no: string }>('SELECT no FROM datasets WHERE id = $1', [datasetId])
  const no = Number(rows[0]?.no)
  const keys: { readonly [name: string]: number } = {
    section: indexKey(await numberOf('metadata_properties', 'archive_section')),
    installed_size: indexKey(await numberOf('metadata_properties', 'installed_size')),
    score: indexKey(await numberOf('questions', 'section'), 'score'),
    words: await numberOf('vector_settings', 'words'),
  }
  const run = queries(client, no, (name) => keys[name] ?? 0)
  const submit = submitOn(client, no, values)
  return {
    batches: (size, most, from) => readBatches(source, no, size, most, from),
    insert: (batches) => timeOf(() => insertBatches(client, batches)),
    settle: async () => {
      while (await isIndexing(source)) await sleep(200)
      await source.query('VACUUM ANALYZE')
      await client.query('VACUUM ANALYZE')
    },
    query: (what, argument) => timeOf(() => run[what](argument)),
    submit: (i) => timeOf(() => submit(i)),
    close: async () => {
      await source.end()
      await client.end()
      await target.drop()
    },
  }
}
