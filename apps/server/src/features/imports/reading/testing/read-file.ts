import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ImportFormat } from '@postil/contract/files/import-formats.ts'
import { renderMessage } from '@postil/contract/wire/render-message.ts'
import { afterAll, beforeAll } from 'vitest'
import type { SourceRow } from '../../inspect/layout.ts'
import { unfoldColumns } from '../../unfolding/by-column.ts'
import { readBatch } from '../batch.ts'
import { openLayout } from '../open-layout.ts'
import type { Position } from '../pieces.ts'

let folder: string

/** Creates a folder for the files that a test module writes, and removes it after the tests. */
export const setUpFiles = (): void => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'postil-reading-'))
  })
  afterAll(() => rm(folder, { recursive: true }))
}

let count = 0
export const fileOf = async (content: string | Buffer) => {
  const path = join(folder, `${++count}`)
  await writeFile(path, content)
  return path
}
const start: Position = { offset: 0, row: 0, line: 0 }
const shown = (row: SourceRow) =>
  'fault' in row ? [row.row, row.line, renderMessage(row.fault)] : [row.row, row.line, Object.fromEntries(row.values)]

/** Reads a file in batches of `limit` rows, each starting where the previous one ended. */
export const readAll = async (content: string | Buffer, format: ImportFormat, limit: number, choice = {}) => {
  const path = await fileOf(content)
  const opened = await openLayout(path, format, choice)
  const unfolded = `${path}.rows`
  const { byColumn } = opened
  const layout = byColumn ? { ...opened, first: start, end: await unfoldColumns(path, unfolded, byColumn) } : opened
  const rows: unknown[] = []
  for (let from: Position | null = layout.first; from !== null; ) {
    const batch = await readBatch({ file: path, unfolded: () => unfolded, text: () => path }, layout, { from, limit })
    rows.push(...batch.rows.map(shown))
    if (batch.fault !== null) rows.push(['broken', batch.fault.row, batch.fault.line, renderMessage(batch.fault.reason)])
    from = batch.next
  }
  return rows
}
