import type { FileHandle } from 'node:fs/promises'
import { Problem } from '@postil/contract/wire/errors.ts'
import type { Layout } from '../inspect/layout.ts'
import type { ReadingChoice } from '../inspect/reading.ts'
import { openJson } from './json-layout.ts'
import { parseRelaxed } from './json-rows.ts'
import { FileFault, type Position, pieces, textOf } from './pieces.ts'
import { readSentence } from './sentence.ts'
import { splitBlocks, splitLines } from './splitters.ts'
import { firstRows, openTable } from './table-layout.ts'

/** Number of rows that decide what a text file contains. */
const DECISIVE = 30

type TextLayout = Pick<Layout, 'format'> & Partial<Layout>

/**
 * Runs a check that reads the first rows in one format, for example as lines of JSON. Returns null if they can't be read in this
 * format.
 */
const unlessUnreadable = async <T>(check: () => Promise<T>): Promise<T | null> => {
  try {
    return await check()
  } catch (error) {
    if (error instanceof FileFault || error instanceof Problem || error instanceof SyntaxError) return null
    throw error
  }
}

const hasJsonLines = async (file: FileHandle, start: Position): Promise<boolean> => {
  for await (const { bytes } of pieces(file, start, splitLines())) {
    const line = textOf(bytes).trim()
    if (line === '') continue
    const value: unknown = /^[[{]/.test(line) ? parseRelaxed(line) : null
    return typeof value === 'object' && value !== null
  }
  return false
}

const TAG = /^(O|[BIESLU](-\S+)?)$/

/** Whether a file has one token per line, with a tag that begins or continues an entity. */
const hasTaggedTokens = async (file: FileHandle, start: Position): Promise<boolean> => {
  let read = 0
  let isTagged = false
  for await (const { bytes } of pieces(file, start, splitBlocks())) {
    const sentence = readSentence(textOf(bytes))
    if (sentence === null) continue
    const tags = 'fault' in sentence ? null : sentence.values.get('ner_tags')
    if (!Array.isArray(tags) || !tags.every((tag) => TAG.test(String(tag)))) return false
    isTagged ||= tags.some((tag) => /^[BSU]/.test(String(tag)))
    read += 1
    if (read === DECISIVE) break
  }
  return isTagged
}

/** Whether all first rows have the same number of cells, separated by tabs, semicolons or vertical bars. */
const isTable = async (file: FileHandle, start: Position): Promise<boolean> => {
  for (const [delimiter, columns] of [
    ['\t', 2],
    [';', 3],
    ['|', 3],
  ] as const) {
    for (const hasTextQuotes of [false, true]) {
      const rows = await firstRows(file, start, { delimiter, hasTextQuotes }, DECISIVE)
      const filled = rows.filter(({ piece }) => textOf(piece.bytes).trim() !== '')
      const width = filled[0]?.cells.length ?? 0
      if (filled.length > 1 && width >= columns && filled.every(({ cells }) => cells.length === width)) return true
    }
  }
  return false
}

/**
 * Determines what a text file contains: JSON, tokens with tags, a table, or text whose lines become records.
 * @throws Problem unprocessable for an unreadable file
 */
export const openTextFile = async (file: FileHandle, start: Position, choice: ReadingChoice): Promise<TextLayout> => {
  const { unit } = choice
  if (unit === 'table') return openTable(file, start, 'csv', choice)
  if (unit !== undefined) return { format: 'txt', unit }
  if (await unlessUnreadable(() => hasJsonLines(file, start))) return openJson(file, start, 'jsonl', choice)
  if (await unlessUnreadable(() => hasTaggedTokens(file, start))) return { format: 'conll' }
  if (await unlessUnreadable(() => isTable(file, start))) return openTable(file, start, 'csv', choice)
  return { format: 'txt', unit: 'line' }
}
