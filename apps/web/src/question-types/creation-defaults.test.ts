import type { QuestionKind } from '@postil/contract/question-types/index.ts'
import { expect, test } from 'vitest'
import { creationSlice } from './creation-registry.ts'

const nearbyFields = [{ name: 'text', title: 'Text', settings: { type: 'text', use_markdown: false } }]
const initial = (kind: QuestionKind) =>
  creationSlice(kind).initial({ values: null, fields: nearbyFields } as never) as {
    readonly options?: readonly { readonly value: string | number }[]
  }

test.each([
  ['label_selection', ['positive', 'negative', 'neutral']],
  ['multi_label_selection', ['news', 'sports', 'international', 'politics']],
  ['rating', [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]],
  ['ranking', ['response-1', 'response-2']],
  ['span', ['organisation', 'person', 'event']],
  ['text', undefined],
] as const)('a new question has the default labels: %s', (kind, values) => {
  expect(initial(kind).options?.map(({ value }) => value)).toEqual(values)
})

test('a new span question uses the first text field and allows overlap', () => {
  expect(initial('span')).toMatchObject({ field: 'text', allow_overlapping: true })
})
