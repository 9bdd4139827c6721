import { type FileHandle, open } from 'node:fs/promises'
import type { ImportFormat } from '@postil/contract/files/import-formats.ts'
import { unprocessable } from '@postil/contract/wire/errors.ts'
import { message } from '@postil/contract/wire/message.ts'
import type { Layout } from '../inspect/layout.ts'
import type { ReadingChoice } from '../inspect/reading.ts'
import { openJson } from './json-layout.ts'
import { FileFault, type Position } from './pieces.ts'
import { openTable } from './table-layout.ts'
import { openTextFile } from './text-layout.ts'

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf] as const

const startOf = async (file: FileHandle): Promise<Position> => {
  const head = Buffer.alloc(BYTE_ORDER_MARK.length)
  const { bytesRead } = await file.read(head, 0, BYTE_ORDER_MARK.length, 0)
  const isMarked = bytesRead === BYTE_ORDER_MARK.length && BYTE_ORDER_MARK.every((byte, i) => head[i] === byte)
  return { offset: isMarked ? BYTE_ORDER_MARK.length : 0, row: 0, line: 0 }
}

/**
 * Determines how to read a file: where its first row begins and, for a table, which columns it has.
 * @param path a file in UTF-8
 * @param choice the user's choices, for example the separator. Everything else is detected from the file
 * @throws Problem unprocessable for an unreadable file
 */
export const openLayout = async (path: string, format: ImportFormat, choice: ReadingChoice = {}): Promise<Layout> => {
  const file = await open(path, 'r')
  try {
    const start = await startOf(file)
    const plain = { format, delimiter: '', header: [], first: start }
    if (format === 'txt') return { ...plain, ...(await openTextFile(file, start, choice)), named: 'txt' }
    if (format === 'json' || format === 'jsonl') return { ...plain, ...(await openJson(file, start, format, choice)) }
    return format === 'csv' || format === 'tsv' ? await openTable(file, start, format, choice) : plain
  } catch (error) {
    if (error instanceof FileFault) throw unprocessable(message('heading', {}, error.reason))
    throw error
  } finally {
    await file.close()
  }
}
