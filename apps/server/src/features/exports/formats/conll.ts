import { unprocessable } from '@postil/contract/wire/errors.ts'
import { piecesOf } from '#platform/http/answers/pieces.ts'
import type { FormatWriter } from '../context.ts'
import { noBytes } from '../context.ts'
import type { Annotated } from './spans.ts'
import { annotatedTexts, spanQuestionOf } from './spans.ts'

const segmenter = new Intl.Segmenter('und', { granularity: 'word' })

type Token = { readonly text: string; readonly start: number; readonly end: number }

/**
 * The words and punctuation marks in a line, split where a span begins or ends. Offsets count code points in the whole text.
 */
const tokensOf = (line: string, from: number, cuts: ReadonlySet<number>): readonly Token[] => {
  const tokens: Token[] = []
  let at = from
  for (const { segment } of segmenter.segment(line)) {
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

const printDocument = ({ text, spans }: Annotated): string => {
  const cuts = new Set(spans.flatMap(({ start, end }) => [start, end]))
  let at = 0
  let printed = '-DOCSTART- -X- -X- O\n\n'
  for (const line of text.split('\n')) {
    const tokens = tokensOf(line, at, cuts)
    for (const token of tokens) {
      const span = spans.find(({ start, end }) => token.start >= start && token.end <= end)
      const tag = span === undefined ? 'O' : `${token.start === span.start ? 'B' : 'I'}-${word(span.label)}`
      printed += `${word(token.text)} -X- -X- ${tag}\n`
    }
    if (tokens.length > 0) printed += '\n'
    at += Array.from(line).length + 1
  }
  return printed
}

/**
 * The four columns of CoNLL-2003: the word, two columns without data (`-X-`), and the IOB2 tag. One document per submitted
 * answer, one sentence per line of text.
 */
export const conll: FormatWriter = (context, { question }) => {
  const spanQuestion = spanQuestionOf(context, question)
  if (spanQuestion.allow_overlapping)
    throw unprocessable(
      `Spans of \`${spanQuestion.name}\` may overlap, and this format allows only one tag per word. Use another format, such as spacy`,
    )
  return {
    push: (records) =>
      piecesOf(
        records
          .values()
          .flatMap((one) => annotatedTexts(one, spanQuestion))
          .map(printDocument),
      ),
    end: () => noBytes,
  }
}
