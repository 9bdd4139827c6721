import { validateAnnotationSearch } from '@postil/contract/annotation-query/annotation-params.ts'
import { readAnnotationQuery } from '@postil/contract/annotation-query/annotation-search.ts'
import { parseQueryString } from '@postil/contract/annotation-query/query-string.ts'
import { describe, expect, test } from 'vitest'
import { unknownParts } from './unknown-parts.ts'

const names = {
  fields: new Set(['body']),
  questions: new Set(['tone']),
  metadata: new Set(['source']),
  vectors: new Set(['mini']),
}
const read = (text: string) => readAnnotationQuery(validateAnnotationSearch(parseQueryString(text)))
const check = (text: string) => unknownParts(read(text), names)
const known = {
  search: 'word~body',
  metadata: 'source.web',
  response: 'tone.calm',
  suggestion: 'tone.score.ge0!2E5',
  sort: 'record.inserted_at.asc~metadata.source.asc~suggestion.tone.score.desc~response.tone.value.asc',
  similarity: 'record.r.vector.mini.limit.50.order.most',
}
const address = (parts: object) => `?${new URLSearchParams({ ...parts })}`

describe('a query for a dataset that has changed', () => {
  test('stays complete if all its names are known', () => {
    expect(check(address(known))).toEqual({ names: [], without: read(address(known)) })
  })

  test.each([
    ['search', 'word~gone'],
    ['metadata', 'gone.web'],
    ['response', 'gone.calm'],
    ['suggestion', 'gone.value.values.calm'],
    ['sort', 'metadata.gone.asc'],
    ['sort', 'suggestion.gone.score.asc'],
    ['similarity', 'record.r.vector.gone.limit.50.order.most'],
  ])('loses only its %s with an unknown name', (part, value) => {
    const { [part as keyof typeof known]: _, ...others } = known
    expect(check(address({ ...known, [part]: value }))).toEqual({ names: ['gone'], without: read(address(others)) })
  })

  test('keeps the known parts next to unknown ones', () => {
    expect(check('?metadata=gone.x~source.web')).toEqual({ names: ['gone'], without: read('?metadata=source.web') })
  })

  test('treats a metadata filter as metadata even if a question has the name', () => {
    expect(check('?metadata=tone.x').names).toEqual(['tone'])
  })
})
