import type { Span } from '@postil/contract/answer-value.ts'
import type { Record as RecordPayload } from '@postil/contract/records.ts'
import { type Problem, unprocessable } from '@postil/contract/wire/errors.ts'
import { message } from '@postil/contract/wire/message.ts'
import { piecesOf } from '#platform/http/answers/pieces.ts'
import { questionOf } from '../annotations.ts'
import type { FormatWriter } from '../context.ts'
import { noBytes } from '../context.ts'
import { type Annotated, annotatedTexts, overlap, withoutOverlaps } from './spans.ts'

/** Made on first use, because the first segmenter of a process takes 20 ms. */
let segmenter: Intl.Segmenter | undefined
const wordsOf = (line: string): Intl.Segments => {
  segmenter ??= new Intl.Segmenter('und', { granularity: 'word' })
  return segmenter.segment(line)
}

type Token = { readonly text: string; readonly start: number; readonly end: number }

/**
 * The words and punctuation marks in a line, split where a span begins or ends. Offsets count code points in the whole text.
 */
const tokensOf = (line: string, from: number, cuts: ReadonlySet<number>): readonly Token[] => {
  const tokens: Token[] = []
  let at = from
  for (const { segment } of wordsOf(line)) {
    const letters = Array.from(segment)
    let start = 0
    for (let i = 1; i <= letters.length; i++) {
      if (i < letters.length && !cuts.has(at + i)) continue
      const text = letters.slice(start, i).join('')
      if (text.trim() !== '') tokens.push({ text, start: at + start, end: at + i })
      start = i
    }
    at += letters.length
  }
  return tokens
}

/** A space ends a column, so tokens and labels can't contain spaces. */
const word = (text: string): string => text.trim().replace(/\s+/g, '_')

/** @param spans ordered by position, and without overlaps */
const printDocument = (text: string, spans: readonly Span[]): string => {
  const cuts = new Set(spans.flatMap(({ start, end }) => [start, end]))
  let at = 0
  let printed = '-DOCSTART- -X- -X- O\n\n'
  for (const line of text.split('\n')) {
    const tokens = tokensOf(line, at, cuts)
    // A tag continues a span only if the token before it in the same sentence belongs to the same span
    let before: Span | undefined
    for (const token of tokens) {
      const span = spans.find(({ start, end }) => token.start >= start && token.end <= end)
      const tag = span === undefined ? 'O' : `${span === before ? 'I' : 'B'}-${word(span.label)}`
      printed += `${word(token.text)} -X- -X- ${tag}\n`
      before = span
    }
    if (tokens.length > 0) printed += '\n'
    at += Array.from(line).length + 1
  }
  return printed
}

const overlapFault = ({ record, user }: Annotated): Problem =>
  unprocessable(message('exportOverlap', { record: record.external_id ?? record.id, user: user ?? '-' }))

/**
 * The four columns of CoNLL-2003: the word, two columns without data (`-X-`), and the IOB2 tag. One document per annotation, one
 * sentence per line of text.
 */
export const conll: FormatWriter = (context, { question: wanted, shape, overlaps }) => {
  const question = questionOf(context, wanted, 'conll')
  const textsOf = (record: RecordPayload): readonly Annotated[] => annotatedTexts(record, question, { context, shape })
  const refuseOverlap = (annotated: Annotated): void => {
    if (overlap(annotated.spans)) throw overlapFault(annotated)
  }
  const mayOverlap = 'allow_overlapping' in question.settings && question.settings.allow_overlapping
  return {
    ...(overlaps === 'refuse' && mayOverlap && { check: (records) => records.flatMap(textsOf).forEach(refuseOverlap) }),
    push: (records) =>
      piecesOf(
        records
          .values()
          .flatMap(textsOf)
          .map((annotated) => {
            if (overlaps === 'refuse') refuseOverlap(annotated)
            return printDocument(annotated.text, withoutOverlaps(annotated.spans))
          }),
      ),
    end: () => noBytes,
  }
}
