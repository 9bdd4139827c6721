import { type FileHandle, open, rm } from 'node:fs/promises'
import type { ForeignFormat } from '@postil/contract/files/foreign-formats.ts'
import { maxSteps } from '@postil/contract/trace.ts'
import { unprocessable } from '@postil/contract/wire/errors.ts'
import { message, type Reason } from '@postil/contract/wire/message.ts'
import { mergeSteps, type TracePart } from '#features/traces/public.ts'
import { readerOf } from '../foreign/registry.ts'
import { STEPS, TRACE } from '../foreign/traces.ts'
import { GATHERED, type Layout, type Source } from '../inspect/layout.ts'
import { readBatch } from '../reading/batch.ts'
import { MAX_UNFOLDED } from '../reading/limits.ts'
import { MAX_ROW, type Position } from '../reading/pieces.ts'
import { type UnfoldedRow, writeRows } from './rows-file.ts'

/** Maximum number of trace parts in a file. The position of each part is kept in memory until the traces are complete. */
const MAX_PARTS = 1_000_000

/** Where the parts of a trace are in the scratch file. `at` alternates between offsets and lengths. */
type Places = { readonly line: number; readonly at: number[] }
type Entry = Places | { readonly line: number; readonly fault: Reason }

/** Writes the parts of all traces to the scratch file, one after another, and remembers where the parts of each trace are. */
const scatter = async (source: Source, plain: Layout, as: ForeignFormat, scratch: FileHandle): Promise<readonly Entry[]> => {
  const { parts: partsOf } = readerOf(as)
  const traces = new Map<string, Places>()
  const entries: Entry[] = []
  let offset = 0
  let count = 0
  const put = async (part: TracePart, line: number): Promise<void> => {
    const bytes = Buffer.from(JSON.stringify(part))
    await scratch.writeFile(bytes)
    const known = traces.get(part.trace) ?? { line, at: [] }
    if (known.at.length === 0) {
      traces.set(part.trace, known)
      entries.push(known)
    }
    known.at.push(offset, bytes.length)
    offset += bytes.length
    count += 1
    if (count > MAX_PARTS) throw unprocessable(message('tooManySpans', { limit: MAX_PARTS }))
    if (offset > MAX_UNFOLDED) throw unprocessable(message('unpacksTooLarge', { limit: MAX_UNFOLDED / 1e9 }))
  }
  for (let from: Position | null = plain.first; from !== null; ) {
    const { rows, next, fault } = await readBatch(source, plain, { from })
    for (const row of rows) {
      const found = 'fault' in row ? { fault: row.fault } : (partsOf?.(row.values) ?? [])
      if ('fault' in found) entries.push({ line: row.line, fault: found.fault })
      else for (const part of found) await put(part, row.line)
    }
    if (fault !== null) throw unprocessable(message('lineFault', { line: fault.line }, fault.reason))
    from = next
  }
  return entries
}

/** Reads the parts of a trace. */
const partsAt = async (scratch: FileHandle, at: readonly number[]): Promise<readonly TracePart[]> => {
  const parts: TracePart[] = []
  for (let i = 0; i < at.length; i += 2) {
    const bytes = Buffer.alloc(at[i + 1] ?? 0)
    await scratch.read(bytes, 0, bytes.length, at[i] ?? 0)
    parts.push(JSON.parse(bytes.toString()) as TracePart)
  }
  return parts
}

async function* rowsOf(entries: readonly Entry[], scratch: FileHandle): AsyncGenerator<UnfoldedRow> {
  for (const entry of entries) {
    const { line } = entry
    if ('fault' in entry) yield [line, null, entry.fault]
    else if (entry.at.reduce((bytes, value, i) => bytes + (i % 2 === 1 ? value : 0), 0) > MAX_ROW)
      yield [line, null, message('rowBytes', { limit: MAX_ROW })]
    else {
      const parts = await partsAt(scratch, entry.at)
      const { steps } = mergeSteps(
        [],
        parts.flatMap((part) => part.steps),
      )
      const about = Object.assign({}, ...parts.map((part) => part.about))
      if (steps.length > maxSteps) yield [line, null, message('traceTooLong', { limit: maxSteps })]
      else yield [line, { ...about, [TRACE]: parts[0]?.trace, [STEPS]: steps }]
    }
  }
}

/**
 * Writes the traces in a file as consecutive rows, with one row for each trace. The spans of a trace can be anywhere in the file.
 * @throws Problem unprocessable
 */
export const unfoldTraces = async (source: Source, plain: Layout, as: ForeignFormat): Promise<Layout> => {
  const path = source.unfolded(GATHERED)
  const scratch = await open(`${path}.parts`, 'w+', 0o600)
  try {
    const entries = await scatter(source, plain, as, scratch)
    const end = await writeRows(path, rowsOf(entries, scratch))
    return { ...plain, gathered: true, first: { offset: 0, row: 0, line: 0 }, end }
  } finally {
    await scratch.close()
    await rm(`${path}.parts`, { force: true })
  }
}
