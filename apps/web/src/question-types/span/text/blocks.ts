import type { Placed } from '../model.ts'

/** A part of the text, in UTF-16 units, that is rendered separately so that the browser can skip it while it is out of view. */
export type Block = { readonly start: number; readonly end: number }
/** A piece of a block that is covered by the same spans throughout. */
export type Segment<S extends Placed = Placed> = { readonly start: number; readonly end: number; readonly spans: readonly S[] }

/** In text longer than this, several lines share a block. In shorter text, each line is a block. */
const minSplitLength = 100_000
const targetLength = 2000
/** Maximum length of a block. Longer lines are cut at a space. */
const maxBlockLength = 20_000

const breakAfter = (text: string, from: number, end: number): number => {
  for (let i = from; i < end; i += 1) if (/\s/u.test(text[i]!)) return i + 1
  return end
}

const lineEnd = (text: string, from: number): number => {
  const lineBreak = text.indexOf('\n', from)
  return lineBreak < 0 ? text.length : lineBreak + 1
}

/**
 * Splits text into consecutive blocks that together contain the whole text. A line break is always the last character of its
 * block.
 * @param turns the messages of a conversation; a block must end before each one
 */
export const blocksOf = (text: string, turns: readonly { readonly start: number }[] | null = null): readonly Block[] => {
  const starts = new Set(turns?.map((turn) => turn.start))
  const blocks: Block[] = []
  let start = 0
  let end = 0
  const minEnd = text.length > minSplitLength ? targetLength : 0
  while (end < text.length) {
    const next = lineEnd(text, end)
    const cut = next - end > maxBlockLength ? breakAfter(text, end + maxBlockLength, next) : next
    if ((cut - start > minEnd || starts.has(end)) && end > start) {
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

/** Returns the index of the part that contains an offset. For the end of the text, returns the last part. */
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

/** Returns the spans of each block. A span across several blocks is in each of them. */
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

/** Cuts a block wherever a span starts or ends. */
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
