import type { QuestionKind } from '@postil/contract/question-types/define.ts'
import { expect, test } from 'vitest'
import { creationSlice } from './creation-registry.ts'

const near = [{ name: 'text', title: 'Text', settings: { type: 'text', use_markdown: false } }]
const initial = (kind: QuestionKind) =>
  creationSlice(kind).initial({ values: null, fields: near } as never) as {
    readonly options?: readonly { readonly value: string | number }[]
  }

test.each([
  ['label_selection', ['positive', 'negative', 'neutral']],
  ['multi_label_selection', ['news', 'sports', 'international', 'politics']],
  ['rating', [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]],
  ['ranking', ['response-1', 'response-2']],
  ['span', ['organisation', 'person', 'event']],
  ['text', undefined],
] as const)('a question that is added begins as usual: %s', (kind, values) => {
  expect(initial(kind).options?.map(({ value }) => value)).toEqual(values)
})

test('spans that are added are of the first text, and may overlap', () => {
  expect(initial('span')).toMatchObject({ field: 'text', allow_overlapping: true })
})
