import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { indexKey } from '@postil/server/platform/db/keys/index-keys.ts'
import { migrate } from '@postil/server/platform/db/migrate.ts'
import { openConnection } from '@postil/server/platform/db/sqlite/connection.ts'
import { createDb } from '@postil/server/platform/db/sqlite/create-db.ts'
import { sqliteSchema } from '@postil/server/platform/db/sqlite/schema.ts'
import { printer } from '@postil/server/platform/db/text/index-tokens.ts'
import { timeOf } from '../lib/stats.ts'
import type { Bare, BareQuery, Batch, Rows } from './bare.ts'
import { FILTER, PAGE, SCORE, TABLES, WORDS } from './bare.ts'
import { documentCounts, tokensOf } from './tokens.ts'

type Row = { readonly [column: string]: SQLInputValue }

/** Creates an empty database with the product's schema and pragmas. Every commit is therefore synced as in the product. */
const emptyStore = async (folder: string): Promise<DatabaseSync> => {
  const db = openConnection(join(folder, 'bare.db'), 'writer')
  db.exec('BEGIN IMMEDIATE')
  await migrate(createDb(db).sql, sqliteSchema)
  db.exec('COMMIT')
  return db
}

const rowid = (datasetNo: number, seq: number): bigint => (BigInt(datasetNo) << 40n) + BigInt(seq)

const textRows = (datasetNo: number, records: readonly Row[]): Rows[] => {
  const indexed = tokensOf(
    datasetNo,
    records.map(({ seq, fields }) => ({ seq: Number(seq), fields: String(fields) })),
  )
  return [
    {
      table: 'record_text',
      columns: ['rowid', 'c0', 'c1'],
      rows: indexed.map(({ seq, texts }) => [rowid(datasetNo, seq), ...texts]),
    },
    {
      table: 'dataset_tokens',
      columns: ['dataset_no', 'token', 'df'],
      rows: documentCounts(indexed).map(([token, df]) => [BigInt(datasetNo), token, BigInt(df)]),
    },
  ]
}

const readBatches = (source: DatabaseSync, datasetNo: number, size: number, most: number, from: number): Batch[] => {
  const batches: Rows[][] = []
  const [first] = source.prepare('SELECT min(seq) AS seq FROM records WHERE dataset_no = ?').all(datasetNo)
  const start = Number((first as { seq: number }).seq) + from * size
  for (const [table, columns] of Object.entries(TABLES)) {
    const read = source.prepare(`SELECT ${columns.join(', ')} FROM ${table} WHERE dataset_no = ? AND seq >= ? AND seq < ?`)
    read.setReadBigInts(true)
    for (let i = 0; i < most; i++) {
      const rows = read.all(datasetNo, start + i * size, start + (i + 1) * size) as Row[]
      if (rows.length === 0) break
      batches[i] ??= []
      batches[i]?.push({ table, columns, rows: rows.map((row) => columns.map((column) => row[column])) })
      if (table === 'records') batches[i]?.push(...textRows(datasetNo, rows))
    }
  }
  return batches
}

const COUNTED = ' ON CONFLICT (dataset_no, token) DO UPDATE SET df = df + excluded.df'

const insertBatches = (db: DatabaseSync, batches: readonly Batch[]): void => {
  const statements = new Map<string, StatementSync>()
  const statement = ({ table, columns }: Rows) => {
    const sql = `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})${table === 'dataset_tokens' ? COUNTED : ''}`
    const made = statements.get(sql) ?? db.prepare(sql)
    statements.set(sql, made)
    return made
  }
  for (const batch of batches) {
    db.exec('BEGIN IMMEDIATE')
    for (const part of batch) {
      const insert = statement(part)
      for (const row of part.rows) insert.run(...(row as SQLInputValue[]))
    }
    db.exec('COMMIT')
  }
}

const RECORD = 'r.id, r.seq, r.external_id, r.status, r.fields, r.metadata, r.inserted_at, r.updated_at'

const queries = (db: DatabaseSync, no: number, key: (name: string) => number) => {
  const records = (inner: string) =>
    `SELECT ${RECORD} FROM (${inner}) p CROSS JOIN records r ON r.dataset_no = ${no} AND r.seq = p.seq ORDER BY p.place`
  const all = (sql: string, ...parameters: SQLInputValue[]) => db.prepare(sql).all(...parameters)
  const term = (word: string) => `"${printer(no)(word)}"`
  const text = (word: string) => {
    all('SELECT count(*) FROM record_text WHERE record_text MATCH ?', term(word))
    const base = rowid(no, 0)
    all(
      records(
        `SELECT rowid - ${base} AS seq, rowid AS place FROM record_text WHERE record_text MATCH ? ORDER BY rowid LIMIT ${PAGE}`,
      ),
      term(word),
    )
  }
  const narrow = (where: string, ...parameters: SQLInputValue[]) => {
    all(`SELECT count(*) FROM ${where}`, ...parameters)
    all(records(`SELECT a.seq AS seq, a.seq AS place FROM ${where} ORDER BY a.seq LIMIT ${PAGE}`), ...parameters)
  }
  const run: { readonly [Q in BareQuery]: (argument: string | number | undefined) => void } = {
    next: () => {
      all(
        `SELECT ${RECORD} FROM records r WHERE dataset_no = ? AND status = 'pending' AND seq > ? ORDER BY seq LIMIT 10`,
        no,
        100,
      )
      all('SELECT kind, sum(n) FROM dataset_counts WHERE dataset_no = ? GROUP BY kind', no)
    },
    'text-rare': () => text(WORDS.rare),
    'text-medium': () => text(WORDS.medium),
    'text-common': () => text(WORDS.common),
    metadata: () =>
      narrow(
        `record_terms a WHERE a.dataset_no = ${no} AND a.key = ? AND a.value_key = ? AND EXISTS (SELECT 1 FROM record_numbers b WHERE b.dataset_no = ${no} AND b.seq = a.seq AND b.key = ? AND b.number BETWEEN ? AND ?)`,
        key('section'),
        FILTER.section,
        key('installed_size'),
        FILTER.from,
        FILTER.to,
      ),
    score: () => narrow(`record_numbers a WHERE a.dataset_no = ${no} AND a.key = ? AND a.number >= ?`, key('score'), SCORE),
    sort: () => {
      all(
        records(
          `SELECT seq, row_number() OVER (ORDER BY number, seq) AS place FROM record_numbers WHERE dataset_no = ${no} AND key = ? ORDER BY number, seq LIMIT ${PAGE}`,
        ),
        key('installed_size'),
      )
    },
    similar: () => {
      const [one] = all('SELECT embedding FROM vectors WHERE dataset_no = ? LIMIT 1', no) as { embedding: Uint8Array }[]
      const inner = `SELECT seq, vec_distance_cosine(embedding, ?) AS place FROM vectors WHERE dataset_no = ${no} AND setting_no = ? ORDER BY place LIMIT ${PAGE}`
      all(records(inner), one?.embedding ?? null, key('words'))
    },
    offset: (from) => {
      all(`SELECT ${RECORD} FROM records r WHERE dataset_no = ? AND seq > ? ORDER BY seq LIMIT ${PAGE}`, no, Number(from))
    },
  }
  return run
}

const submitOn = (db: DatabaseSync, no: number, values: string) => {
  const statements = [
    db.prepare(`INSERT INTO responses (dataset_no, seq, user_id, id, record_id, "values", status, version, inserted_at, updated_at)
      VALUES (${no}, ?, ?, ?, ?, ?, 'submitted', 1, 1, 1)`),
    db.prepare(`INSERT INTO response_terms VALUES (${no}, 8, ?, ?, ?)`),
    db.prepare(`INSERT INTO response_numbers VALUES (${no}, 16, 3.0, ?, ?)`),
    db.prepare(`UPDATE records SET submitted = submitted + 1, updated_at = 2 WHERE dataset_no = ${no} AND seq = ?`),
    db.prepare(
      `INSERT INTO dataset_counts VALUES (${no}, ?, 'bench', 1) ON CONFLICT (dataset_no, slot, kind) DO UPDATE SET n = n + 1`,
    ),
  ] as const
  return (i: number) => {
    const [answer, term, number, record, count] = statements
    const id = `00000000-0000-7000-8000-${String(i + 10).padStart(12, '0')}`
    db.exec('BEGIN IMMEDIATE')
    answer.run(BigInt(i + 10), id, id, id, values)
    term.run('libs', BigInt(i + 10), id)
    number.run(BigInt(i + 10), id)
    record.run(BigInt(i + 10))
    count.run(BigInt(i % 16))
    db.exec('COMMIT')
  }
}

export const bareSqlite = async (dataDir: string, datasetId: string, values: string): Promise<Bare> => {
  const folder = mkdtempSync(join(tmpdir(), 'postil bare '))
  const db = await emptyStore(folder)
  const source = openConnection(join(dataDir, 'postil.db'), 'reader')
  const numberOf = (table: string, name: string) =>
    Number(
      (source.prepare(`SELECT no FROM ${table} WHERE dataset_id = ? AND name = ?`).get(datasetId, name) as { no: number }).no,
    )
  const no = Number((source.prepare('SELECT no FROM datasets WHERE id = ?').get(datasetId) as { no: number }).no)
  const keys: { readonly [name: string]: number } = {
    section: indexKey(numberOf('metadata_properties', 'archive_section')),
    installed_size: indexKey(numberOf('metadata_properties', 'installed_size')),
    score: indexKey(numberOf('questions', 'section'), 'score'),
    words: numberOf('vector_settings', 'words'),
  }
  const run = queries(db, no, (name) => keys[name] ?? 0)
  const submit = submitOn(db, no, values)
  return {
    batches: async (size, most, from) => readBatches(source, no, size, most, from),
    insert: (batches) => timeOf(() => insertBatches(db, batches)),
    settle: async () => undefined,
    query: (what, argument) => timeOf(() => run[what](argument)),
    submit: (i) => timeOf(() => submit(i)),
    close: async () => {
      source.close()
      db.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
