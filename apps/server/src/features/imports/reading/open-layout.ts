import { open } from 'node:fs/promises'
import { unprocessable } from '@postil/contract/errors.ts'
import type { ImportFormat } from '@postil/contract/import-formats.ts'
import { sayRefusal } from '@postil/contract/refusals.ts'
import type { Layout } from '../layout.ts'
import { delimiterIn, readCells } from './cells.ts'
import { checkNames } from './heading.ts'
import { FileFault, type Piece, type Position, pieces } from './pieces.ts'
import { splitLines, splitTable } from './splitters.ts'

const MARK = [0xef, 0xbb, 0xbf] as const

const headerOf = (line: string, delimiter: string): readonly string[] => {
  const read = readCells(line, delimiter)
  if ('fault' in read) throw unprocessable(sayRefusal('heading', { reason: read.fault }))
  const names = read.cells.map((cell) => (cell ?? '').trim())
  checkNames(names)
  return names
}

const textOf = (piece: Piece): string => Buffer.from(piece.bytes).toString('utf8')

/**
 * How a file is read: where its first row begins and, for a table, what its columns are.
 * @throws Problem unprocessable for a file that nothing can be read from
 */
export const openLayout = async (path: string, format: ImportFormat): Promise<Layout> => {
  const file = await open(path, 'r')
  try {
    const head = Buffer.alloc(MARK.length)
    const { bytesRead } = await file.read(head, 0, MARK.length, 0)
    const start: Position = { offset: bytesRead === 3 && MARK.every((byte, i) => head[i] === byte) ? 3 : 0, row: 0, line: 0 }
    if (format !== 'csv' && format !== 'tsv') return { format, delimiter: '', header: [], first: start }
    const firstOf = async (split: ReturnType<typeof splitLines>): Promise<Piece> => {
      for await (const piece of pieces(file, start, split)) return piece
      throw unprocessable(sayRefusal('fileEmpty'))
    }
    const delimiter = format === 'tsv' ? '\t' : delimiterIn(textOf(await firstOf(splitLines())))
    const heading = await firstOf(splitTable(delimiter))
    return { format, delimiter, header: headerOf(textOf(heading), delimiter), first: { ...heading.end, row: 0 } }
  } catch (error) {
    if (error instanceof FileFault) throw unprocessable(sayRefusal('heading', { reason: error.message }))
    throw error
  } finally {
    await file.close()
  }
}
