import { open, rename, rm } from 'node:fs/promises'
import { unprocessable } from '@postil/contract/wire/errors.ts'
import { message, type Reason } from '@postil/contract/wire/message.ts'
import { MAX_UNFOLDED } from '../reading/limits.ts'
import { MAX_ROW } from '../reading/pieces.ts'

type Cells = { readonly [column: string]: unknown }
/**
 * An unfolded row: its line in the file, followed either by its cells and the faults of individual cells, or by null and the
 * fault of the entire row.
 */
export type UnfoldedRow =
  | readonly [line: number, cells: Cells, faults?: { readonly [column: string]: Reason }]
  | readonly [line: number, cells: null, fault: Reason]

const FLUSH = 1 << 18

/** Writes rows as lines of JSON, which are then read like any text file. @returns the total number of bytes */
export const writeRows = async (path: string, rows: AsyncIterable<UnfoldedRow>): Promise<number> => {
  const draft = `${path}.part`
  const file = await open(draft, 'w', 0o600)
  let bytes = 0
  try {
    let lines: Buffer[] = []
    let waiting = 0
    const flush = async (): Promise<void> => {
      await file.writeFile(Buffer.concat(lines))
      lines = []
      waiting = 0
    }
    for await (const row of rows) {
      const whole = Buffer.from(`${JSON.stringify(row)}\n`)
      const line =
        whole.length < MAX_ROW
          ? whole
          : Buffer.from(`${JSON.stringify([row[0], null, message('rowBytes', { limit: MAX_ROW })])}\n`)
      bytes += line.length
      if (bytes > MAX_UNFOLDED) throw unprocessable(message('unpacksTooLarge', { limit: MAX_UNFOLDED / 1e9 }))
      lines.push(line)
      waiting += line.length
      if (waiting > FLUSH) await flush()
    }
    await flush()
    await file.sync()
    await file.close()
    await rename(draft, path)
    return bytes
  } catch (error) {
    await file.close().catch(() => undefined)
    await rm(draft, { force: true })
    throw error
  }
}
