import type { RunningServer } from '../../harness/server.ts'
import type { GivenRecord } from './annotation.ts'
import { givenAnnotation } from './annotation.ts'

const options = (...texts: readonly string[]) => texts.map((text) => ({ value: text.toLowerCase(), text }))

export const TONES = ['Calm', 'Neutral', 'Angry'] as const
export const THEMES = [
  'Price',
  'Quality',
  'Delivery',
  'Service',
  'Website',
  'Returns',
  'Warranty',
  'Packaging',
  'Payment',
] as const
/** One of them has everything in it that separates something in an address. */
export const SOURCES = ['web', 'book', 'blog', 'v1.0_rc~2'] as const
export const RECORDS = 24

const questions = {
  tone: { title: 'Tone', required: true, settings: { type: 'label_selection', options: options(...TONES) } },
  topics: { title: 'Topics', required: false, settings: { type: 'multi_label_selection', options: options(...THEMES) } },
  quality: {
    title: 'Quality',
    required: false,
    settings: { type: 'rating', options: [1, 2, 3, 4, 5].map((value) => ({ value })) },
  },
  note: { title: 'Note', required: false, settings: { type: 'text', use_markdown: false } },
}

const metadata = [
  { name: 'source', title: 'Source', settings: { type: 'terms' } },
  { name: 'length', title: 'Length', settings: { type: 'integer' } },
  { name: 'ratio', title: 'Share of numbers', settings: { type: 'float' } },
  { name: 'reviewer', title: 'Reviewer', visible_for_annotators: false, settings: { type: 'terms' } },
]

const of = <T>(list: readonly T[], index: number): T => list[index % list.length] as T

const record = (index: number, vectors: readonly string[]): GivenRecord => ({
  external_id: `r${index}`,
  fields: {
    title: `Review ${index}`,
    text: `The parcel number ${index} came late, but everything in it was in good order and well packed.`,
  },
  metadata: {
    source: of(SOURCES, index),
    length: 10 * (index + 1),
    ratio: index / RECORDS,
    reviewer: of(['Ada', 'Grace'], index),
  },
  suggestions: {
    tone: { value: of(TONES, index).toLowerCase(), score: index / RECORDS, agent: of(['tiny-model', 'large-model'], index) },
    topics: {
      value: [of(THEMES, index).toLowerCase(), of(THEMES, index + 3).toLowerCase()],
      score: [0.9, 0.4],
      agent: 'tiny-model',
    },
    quality: { value: 1 + (index % 5), score: 0.5, agent: 'large-model' },
  },
  // The last one cannot be compared with.
  ...(index < RECORDS - 1 && {
    vectors: Object.fromEntries(vectors.map((name, at) => [name, [Math.cos(index / (8 + at)), Math.sin(index / (8 + at)), 0.5]])),
  }),
})

/** A dataset whose records differ in everything that a list can be filtered or sorted by. */
export const givenFilterable = (
  server: RunningServer,
  {
    name,
    workspaceId,
    vectors = [],
  }: { readonly name: string; readonly workspaceId: string; readonly vectors?: readonly string[] },
): Promise<string> =>
  givenAnnotation(server, {
    name,
    workspaceId,
    questions,
    metadata,
    fields: ['Title', 'Text'].map((title) => ({
      name: title.toLowerCase(),
      title,
      required: true,
      settings: { type: 'text', use_markdown: false },
    })),
    vectors: Object.fromEntries(vectors.map((vector) => [vector, { title: `Vector ${vector}`, dimensions: 3 }])),
    records: Array.from({ length: RECORDS }, (_, index) => record(index, vectors)),
  })
