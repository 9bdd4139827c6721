import { expect, test } from 'vitest'
import { groupByVectors, type RecordVectors } from './group-by-vectors.ts'

const vectorsOf = (entries: readonly (readonly [seq: number, vector: readonly number[]])[]): RecordVectors => ({
  name: 'meaning',
  dimensions: entries[0]?.[1].length ?? 2,
  seqs: entries.map(([seq]) => seq),
  numbers: new Float32Array(
    entries.flatMap(([, vector]) => {
      const length = Math.hypot(...vector)
      return vector.map((number) => number / length)
    }),
  ),
})

test('notes of records with similar vectors form a group, whatever their words', () => {
  const texts = ['arrived late', 'too slow', 'wrong colour', 'not the red one', 'delayed']
  const notes = texts.map((text, seq) => ({ seq, text }))
  const vectors = vectorsOf([
    [0, [1, 0.1]],
    [1, [1, 0]],
    [2, [0, 1]],
    [3, [0.1, 1]],
    [4, [1, 0.05]],
  ])
  const groups = groupByVectors(notes, vectors)
  expect(groups.flatMap(({ seqs }) => seqs).sort()).toEqual([0, 1, 2, 3, 4])
  for (const { seqs } of groups)
    expect(seqs.every((seq) => seq === 2 || seq === 3) || !seqs.some((seq) => seq === 2 || seq === 3)).toBe(true)
})

test('two clear directions become two groups, with the most frequent note first', () => {
  const entries = Array.from({ length: 4 }, (_, i): [number, number[]] => [i, i % 2 === 0 ? [3, 0] : [0, 5]])
  const notes = ['late', 'red', 'late', 'blue'].map((text, seq) => ({ seq, text }))
  const groups = groupByVectors(notes, vectorsOf(entries))
  expect(groups.map(({ seqs }) => seqs).sort()).toEqual([
    [0, 2],
    [1, 3],
  ])
  expect(groups.find(({ seqs }) => seqs[0] === 0)).toMatchObject({ text: 'late', notes: 2, examples: [{ text: 'late', seq: 0 }] })
})

test('notes of records without a vector are grouped by words, and a changed group has another key', () => {
  const notes = ['late', 'Late', 'slow'].map((text, seq) => ({ seq, text }))
  const groups = groupByVectors(notes, vectorsOf([[2, [1, 0]]]))
  expect(groups.map(({ seqs }) => seqs)).toEqual([[0, 1], [2]])
  const more = groupByVectors(
    [...notes, { seq: 3, text: 'slow' }],
    vectorsOf([
      [2, [1, 0]],
      [3, [1, 0]],
    ]),
  )
  expect(more.flatMap(({ key }) => key)).not.toContain(groups[1]?.key)
  expect(groupByVectors([], vectorsOf([]))).toEqual([])
})

test('opposite vectors have no mean, but are divided', () => {
  const groups = groupByVectors(
    [0, 1].map((seq) => ({ seq, text: `note ${seq}` })),
    vectorsOf([
      [0, [1, 0]],
      [1, [-1, 0]],
    ]),
  )
  expect(groups).toHaveLength(2)
})
