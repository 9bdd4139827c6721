import { codePointLength } from '@postil/contract/wire/code-points.ts'
import { message } from '@postil/contract/wire/message.ts'
import type { ForeignReader, Item, Values } from './define.ts'
import { suggestedSpans } from './spans.ts'
import { filledOf, isTexts, restOf } from './values.ts'

type Span = { readonly label: string; readonly start: number; readonly end: number }

/**
 * A tag in any of the usual schemes: IOB, IOB2, BIOES, BILOU, or a plain label. `continues`: a span can continue with this tag.
 */
const readTag = (tag: string): { readonly label: string; readonly continues: boolean; readonly ends: boolean } | null => {
  if (tag === 'O' || tag === '' || tag === '_' || tag === '-') return null
  const [, prefix, label] = /^([BIESLU])[-_](.+)$/.exec(tag) ?? []
  if (prefix === undefined || label === undefined) return { label: tag, continues: true, ends: false }
  return { label, continues: /[IEL]/.test(prefix), ends: /[ESLU]/.test(prefix) }
}

const NO_SPACE_BEFORE = /^[.,;:!?%)\]}”’]+$|^['’](s|re|ve|ll|d|m|t)$|^n['’]t$/i
const NO_SPACE_AFTER = /^[([{“‘$€£#]+$/

/** Joins tokens into text. Tokens are separated by spaces, except next to punctuation where written text has no space. */
const joinTokens = (tokens: readonly string[]): { readonly text: string; readonly places: readonly Omit<Span, 'label'>[] } => {
  let text = ''
  let length = 0
  const places = tokens.map((token, i) => {
    const isAttached = i === 0 || NO_SPACE_BEFORE.test(token) || NO_SPACE_AFTER.test(tokens[i - 1] ?? '')
    const gap = isAttached ? '' : ' '
    const start = length + gap.length
    text += `${gap}${token}`
    length = start + codePointLength(token)
    return { start, end: length }
  })
  return { text, places }
}

/** The positions of tokens in their text. Null if anything other than whitespace precedes or separates the tokens. */
const placesIn = (text: string, tokens: readonly string[]): readonly Omit<Span, 'label'>[] | null => {
  let unit = 0
  let length = 0
  const places: Omit<Span, 'label'>[] = []
  for (const token of tokens) {
    const at = text.indexOf(token, unit)
    if (at === -1 || text.slice(unit, at).trim() !== '') return null
    const start = length + codePointLength(text.slice(unit, at))
    length = start + codePointLength(token)
    unit = at + token.length
    places.push({ start, end: length })
  }
  return places
}

/** Returns the spans that tags mark. If a continuation tag has another label than the current span, it starts a new span. */
const spansOfTags = (tags: readonly string[], places: readonly Omit<Span, 'label'>[]): readonly Span[] => {
  const spans: { label: string; start: number; end: number }[] = []
  let open: (typeof spans)[number] | null = null
  for (const [i, tag] of tags.entries()) {
    const read = readTag(tag)
    const place = places[i]
    if (read === null || place === undefined) open = null
    else {
      if (open !== null && read.continues && open.label === read.label) open.end = place.end
      else {
        open = { label: read.label, ...place }
        spans.push(open)
      }
      if (read.ends) open = null
    }
  }
  return spans
}

const TOKENS = ['tokens', 'words']
const TAGS = ['ner_tags', 'tags', 'labels', 'ner_labels', 'entities', 'ner', 'pos_tags', 'chunk_tags', 'upos_tags']

const isIntegers = (value: unknown): value is readonly number[] => Array.isArray(value) && value.every(Number.isInteger)
const isTags = (value: unknown): boolean => isTexts(value) || isIntegers(value)

/**
 * Returns the tag for a class number. Classes are numbered in the order O, B-x, I-x, B-y, I-y and so on. The names of the labels
 * are unknown, so each label is named after the number of its B- class.
 */
const tagName = (tag: string | number): string => {
  if (typeof tag === 'string') return tag
  if (tag === 0) return 'O'
  return tag % 2 === 1 ? `B-class ${tag}` : `I-class ${tag - 1}`
}

const tokensIn = (row: Values): string | undefined => TOKENS.find((name) => isTexts(row.get(name)))
const tagsIn = (row: Values, length: number): string | undefined =>
  TAGS.find((name) => isTags(row.get(name)) && (row.get(name) as readonly unknown[]).length === length)

const readRow = (row: Values) => {
  const tokensName = tokensIn(row)
  if (tokensName === undefined) return { fault: message('partMissing', { part: 'tokens' }) }
  const tokens = row.get(tokensName) as readonly string[]
  const tagsName = tagsIn(row, tokens.length)
  if (tagsName === undefined) return { fault: message('partMissing', { part: 'ner_tags' }) }
  const tags = (row.get(tagsName) as readonly (string | number)[]).map(tagName)
  const original = row.get('text')
  const found = typeof original === 'string' ? placesIn(original, tokens) : null
  const { text, places } = typeof original === 'string' && found !== null ? { text: original, places: found } : joinTokens(tokens)
  const others = filledOf(
    row,
    TAGS.filter((name) => name !== tagsName),
  )
  // Columns without a name, between the columns of tokens and tags. Only files with one token per line have them.
  const between = [...row.keys()].filter((name) => /^column \d+$/.test(name))
  const id = row.get('id') ?? row.get('sent_id')
  return {
    id: typeof id === 'string' || typeof id === 'number' ? id : undefined,
    fields: [['text', text, 'text']],
    annotations: [
      {
        annotator: '',
        status: 'submitted' as const,
        questions: [[tagsName, suggestedSpans(spansOfTags(tags, places), 'text')] as const],
      },
    ],
    other: restOf(row, ['id', 'sent_id', tokensName, ...TAGS, ...between, ...(found === null ? [] : ['text'])]),
    leftOut: [
      ...others.map((part) => ({ part, reason: 'further' as const })),
      ...between.map((part) => ({ part, reason: 'unsupported' as const })),
    ],
  } satisfies Item
}

/** Sentences as lists of tokens and tags, for example from the Hub. */
export const tokenTags: ForeignReader = {
  format: 'token_tags',
  recognizes: (rows) =>
    rows.every((row) => {
      const name = tokensIn(row)
      return name !== undefined && tagsIn(row, (row.get(name) as readonly string[]).length) !== undefined
    }),
  read: readRow,
}
