import type { Dataset } from '@postil/contract/datasets.ts'
import type { TestServer } from '@postil/testkit/boot.ts'
import { expect } from 'vitest'

const options = (...values: readonly string[]) => values.map((value) => ({ value, text: value }))
/** A one-pixel image. */
export const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** Creates a published dataset with many kinds of fields, questions and other parts, and two records. */
export const everyKind = async (server: TestServer): Promise<Dataset> => {
  const dataset = await server.createDataset({
    guidelines: 'Read | twice.\n\n<b>Then</b> answer.',
    allow_extra_metadata: true,
    fields: [
      { name: 'text', required: true, settings: { type: 'text' } },
      { name: 'picture', settings: { type: 'image' } },
      { name: 'link', settings: { type: 'image' } },
      { name: 'talk', settings: { type: 'chat' } },
      { name: 'page', settings: { type: 'custom', template: '<p></p>' } },
    ],
    questions: [
      { name: 'label', required: true, settings: { type: 'label_selection', options: options('yes', 'no') } },
      { name: 'tags', settings: { type: 'multi_label_selection', options: options('x', 'y') } },
      { name: 'stars', settings: { type: 'rating', options: [{ value: 1 }, { value: 2 }] } },
      { name: 'rank', settings: { type: 'ranking', options: options('a', 'b') } },
      { name: 'parts', settings: { type: 'span', field: 'text', options: options('PER', 'ORG') } },
    ],
    metadata_properties: [
      { name: 'source', settings: { type: 'terms' } },
      { name: 'size', settings: { type: 'integer' } },
    ],
    vectors_settings: [{ name: 'vec', title: 'Vec', dimensions: 2 }],
  })
  const client = server.clientFor(server.owner)
  const { body: parts } = await client.get<{ items: { id: string; name: string }[] }>(`/datasets/${dataset.id}/questions`)
  const idOf = (name: string) => parts.items.find((one) => one.name === name)?.id ?? ''
  const { body: vectors } = await client.get<{ items: { id: string }[] }>(`/datasets/${dataset.id}/vectors-settings`)
  expect(vectors.items).toHaveLength(1)
  const items = [
    {
      external_id: 'first',
      fields: {
        text: 'Ann works',
        picture: `data:image/png;base64,${png}`,
        link: 'https://example.com/a.png',
        talk: [{ role: 'user', content: 'hi' }],
        page: { a: 1, b: [{ c: 'x' }] },
      },
      metadata: { source: 'web', size: 3, unknown: 'extra' },
      vectors: { vec: [0.5, 1] },
      suggestions: [
        { question_id: idOf('label'), value: 'yes', score: 0.9, agent: 'model' },
        { question_id: idOf('tags'), value: ['x', 'y'], score: [0.1, 0.2] },
        {
          question_id: idOf('rank'),
          value: [
            { value: 'a', rank: 2 },
            { value: 'b', rank: 1 },
          ],
        },
        { question_id: idOf('parts'), value: [{ start: 0, end: 3, label: 'PER', score: 0.5 }] },
      ],
      responses: [
        {
          user_id: server.owner.id,
          status: 'submitted',
          values: {
            label: { value: 'no' },
            rank: {
              value: [
                { value: 'b', rank: 1 },
                { value: 'a', rank: 2 },
              ],
            },
            parts: { value: [{ start: 0, end: 3, label: 'ORG' }] },
          },
        },
      ],
    },
    { external_id: 'second', fields: { text: 'Bob', page: { a: 2.5 } }, metadata: {} },
  ]
  const sent = await client.put(`/datasets/${dataset.id}/records/bulk`, { items })
  expect([sent.status, sent.body]).toEqual([200, sent.body])
  return dataset
}
