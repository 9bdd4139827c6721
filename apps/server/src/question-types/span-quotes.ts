import type { Span } from '@postil/contract/answer-value.ts'
import { type SpanText, spanTextOf } from '@postil/contract/question-types/span-text.ts'
import { codePointLength } from '@postil/contract/wire/code-points.ts'

/** A quote from a text, with the label that a model gave it. `occurrence` is 1 for the first occurrence of the quote. */
export type Quote = { readonly quote: string; readonly label: string; readonly occurrence: number }

/** Created on first use, because creating the first segmenter of a process takes 20 ms. */
let graphemes: Intl.Segmenter | undefined

/** The positions between the characters that people see, in UTF-16 code units. */
const boundariesOf = (text: string): ReadonlySet<number> => {
  graphemes ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  const boundaries = new Set<number>([text.length])
  for (const { index } of graphemes.segment(text)) boundaries.add(index)
  return boundaries
}

/** Finds quotes in a text. Quote positions are in UTF-16 code units. The positions in spans are in code points. */
class QuotedText {
  readonly #found: SpanText
  #boundaries: ReadonlySet<number> | null = null

  constructor(found: SpanText) {
    this.#found = found
  }

  #isAligned(start: number, end: number): boolean {
    this.#boundaries ??= boundariesOf(this.#found.text)
    return this.#boundaries.has(start) && this.#boundaries.has(end)
  }

  /** A span must not leave its message. */
  #isInTurn(start: number, end: number): boolean {
    const { turns } = this.#found
    return turns === null || turns.some((turn) => start >= turn.start && end <= turn.end)
  }

  /**
   * The positions at which a quote starts. Occurrences may overlap. An occurrence may begin or end within a visible character,
   * for example between a letter and its accent. Such occurrences are returned only if there are no others.
   */
  startsOf(quote: string): readonly number[] {
    const { text } = this.#found
    const starts: number[] = []
    for (let at = text.indexOf(quote); at >= 0; at = text.indexOf(quote, at + 1))
      if (this.#isInTurn(at, at + quote.length)) starts.push(at)
    const aligned = starts.filter((start) => this.#isAligned(start, start + quote.length))
    return aligned.length > 0 ? aligned : starts
  }

  toSpan(start: number, quote: string, label: string): Span {
    const first = codePointLength(this.#found.text.slice(0, start))
    return { label, start: first, end: first + codePointLength(quote) }
  }

  toQuote({ label, start, end }: Span): Quote | null {
    const points = Array.from(this.#found.text)
    const quote = points.slice(start, end).join('')
    const at = points.slice(0, start).join('').length
    const occurrence = this.startsOf(quote).indexOf(at) + 1
    return occurrence === 0 ? null : { quote, label, occurrence }
  }
}

const quotedText = (value: unknown): QuotedText | null => {
  const found = spanTextOf(value)
  return found === null ? null : new QuotedText(found)
}

type PlacedQuotes = {
  readonly spans: readonly Span[]
  /** The position of each span's quote in the list of quotes. */
  readonly from: readonly number[]
  /** The number of quotes that do not occur in the text, or that overlap an earlier quote although overlap is not allowed. */
  readonly unmatched: number
}

/**
 * Converts quotes to spans, in the order of the quotes. Repeated quotes count once.
 * @param value the value of the question's field
 */
export const placeQuotes = (quotes: readonly Quote[], value: unknown, allowsOverlap: boolean): PlacedQuotes => {
  const text = quotedText(value)
  const spans: Span[] = []
  const from: number[] = []
  let unmatched = 0
  for (const [i, { quote, label, occurrence }] of quotes.entries()) {
    const starts = text === null || quote === '' ? [] : text.startsOf(quote)
    const start = starts[occurrence - 1]
    if (text === null || start === undefined) {
      unmatched += 1
      continue
    }
    const span = text.toSpan(start, quote, label)
    if (spans.some((one) => one.start === span.start && one.end === span.end && one.label === span.label)) continue
    if (!allowsOverlap && spans.some((one) => one.start < span.end && span.start < one.end)) {
      unmatched += 1
      continue
    }
    spans.push(span)
    from.push(i)
  }
  return { spans, from, unmatched }
}

/** Converts spans to quotes. Leaves out spans that split a character, because such a span can't always be quoted. */
export const quoteSpans = (spans: readonly Span[], value: unknown): readonly Quote[] => {
  const text = quotedText(value)
  return text === null ? [] : spans.map((span) => text.toQuote(span)).filter((quote) => quote !== null)
}
