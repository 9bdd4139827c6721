import { expect, test } from 'vitest'
import { groupNotes } from './group.ts'

const grouped = (...texts: readonly string[]) => groupNotes(texts.map((text, seq) => ({ seq, text })))
const seqs = (...texts: readonly string[]) => grouped(...texts).map((group) => group.seqs)

test('notes that share at least half of their words form a group, whatever their order and case', () => {
  expect(seqs('parcel arrived late', 'Late: parcel arrived!', 'wrong colour', 'parcel late', 'colour wrong')).toEqual([
    [0, 1, 3],
    [2, 4],
  ])
  expect(seqs('late', 'not late at all, but damaged')).toEqual([[0], [1]])
})

test('a group contains its most frequent note and different notes as examples', () => {
  const [group] = grouped('too late', 'late', 'late', 'too late again')
  expect(group).toMatchObject({ text: 'late', notes: 3, seqs: [0, 1, 2] })
  expect(group?.examples).toEqual([
    { text: 'late', seq: 1 },
    { text: 'too late', seq: 0 },
  ])
})

test('several notes about one record count as one record', () => {
  const [group] = groupNotes([
    { seq: 7, text: 'late' },
    { seq: 7, text: 'Late' },
    { seq: 3, text: 'late!' },
  ])
  expect(group).toMatchObject({ notes: 3, seqs: [3, 7] })
})

test('notes without words are compared as a whole', () => {
  expect(seqs('???', '!', '???')).toEqual([[0, 2], [1]])
  expect(seqs()).toEqual([])
})

test('the key of a group depends only on its most frequent note', () => {
  const [before] = grouped('late', 'late', 'too late')
  const [after] = grouped('late', 'late', 'too late', 'damaged', 'very late')
  expect(after?.key).toBe(before?.key)
})

test('grouping a hundred thousand different notes takes bounded work', () => {
  const texts = Array.from({ length: 100_000 }, (_, i) => `reason ${i % 500} of the parcel number ${i}`)
  const groups = grouped(...texts)
  expect(groups.reduce((sum, { notes }) => sum + notes, 0)).toBe(100_000)
})
