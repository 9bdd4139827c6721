import type { Placed } from '../model.ts'

/** A part of the text that is drawn by itself, in UTF-16 units, so that the browser skips what is out of sight. */
export type Block = { readonly start: number; readonly end: number }
/** A piece of a block that the same spans cover. */
export type Segment<S extends Placed = Placed> = { readonly start: number; readonly end: number; readonly spans: readonly S[] }

/** Each line is a block, so that only lines with nested spans need more room. In a large text many lines are one block. */
const large = 100_000
const wanted = 2000
/** A longer line is cut at a blank. */
const longest = 20_000

const blankAfter = (text: string, from: number, end: number): number => {
  for (let i = from; i < end; i += 1) if (/\s/u.test(text[i]!)) return i + 1
  return end
}

const lineEnd = (text: string, from: number): number => {
  const lineBreak = text.indexOf('\n', from)
  return lineBreak < 0 ? text.length : lineBreak + 1
}

/**
 * Cuts a text into blocks that together are the text. A line break is the last thing in its block.
 * @param turns where no block goes on: before each of them
 */
export const blocksOf = (text: string, turns: readonly { readonly start: number }[] | null = null): readonly Block[] => {
  const starts = new Set(turns?.map((turn) => turn.start))
  const blocks: Block[] = []
  let start = 0
  let end = 0
  const least = text.length > large ? wanted : 0
  while (end < text.length) {
    const next = lineEnd(text, end)
    const cut = next - end > longest ? blankAfter(text, end + longest, next) : next
    if ((cut - start > least || starts.has(end)) && end > start) {
      blocks.push({ start, end })
      start = end
    }
    end = cut
    if (cut < next) {
      blocks.push({ start, end })
      start = end
    }
  }
  if (end > start) blocks.push({ start, end })
  return blocks
}

/** Which of parts that follow one another an offset lies in; the last one for the end of the text. */
export const partAt = (parts: readonly { readonly start: number }[], offset: number): number => {
  let low = 0
  let high = parts.length - 1
  while (low < high) {
    const middle = (low + high + 1) >>> 1
    if (parts[middle]!.start <= offset) low = middle
    else high = middle - 1
  }
  return low
}

/** The spans of each block. A span that goes through several is in each of them. */
export const spansByBlock = <S extends Placed>(
  blocks: readonly Block[],
  spans: readonly S[],
): ReadonlyMap<number, readonly S[]> => {
  const found = new Map<number, S[]>()
  for (const span of spans) {
    for (let index = partAt(blocks, span.start); index < blocks.length && blocks[index]!.start < span.end; index += 1) {
      const list = found.get(index)
      if (list) list.push(span)
      else found.set(index, [span])
    }
  }
  return found
}

/** Cuts a block where a span begins or ends. */
export const segmentsOf = <S extends Placed>({ start, end }: Block, spans: readonly S[]): readonly Segment<S>[] => {
  const cuts = new Set([start, end])
  for (const span of spans) {
    if (span.start > start && span.start < end) cuts.add(span.start)
    if (span.end > start && span.end < end) cuts.add(span.end)
  }
  const sorted = [...cuts].sort((a, b) => a - b)
  return sorted.slice(0, -1).map((from, index) => {
    const to = sorted[index + 1]!
    return { start: from, end: to, spans: spans.filter((span) => span.start < to && from < span.end) }
  })
}
