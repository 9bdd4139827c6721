import type { LabelsSnapshot } from '@postil/contract/schema-versions.ts'
import { expect, test } from 'vitest'
import {
  changesOf,
  isComplete,
  type LabelRow,
  labelsOf,
  newRow,
  parentsFor,
  repeatedNames,
  rowsOf,
  targetsOf,
} from './label-edit.ts'

const options = ['a', 'b', 'c'].map((value) => ({ value, text: value.toUpperCase(), description: null }))
const stored: LabelsSnapshot = { options, retired: ['c'] }
const with_ = (key: string, change: Partial<LabelRow>) =>
  rowsOf(stored).map((row) => (row.key === key ? { ...row, ...change } : row))
const of = { question_id: 'q' }

test('has no changes at first', () => {
  expect(rowsOf(stored).map(({ fate }) => fate)).toEqual(['keep', 'keep', 'retire'])
  expect(changesOf('q', stored, rowsOf(stored))).toEqual([])
})

test('renames, merges, retires and restores', () => {
  expect(changesOf('q', stored, with_('a', { text: ' Good ' }))).toEqual([
    { type: 'rename_label', ...of, label: 'a', value: 'Good', text: 'Good' },
  ])
  expect(changesOf('q', stored, with_('a', { text: 'ignored', fate: 'into:b' }))).toEqual([
    { type: 'merge_labels', ...of, labels: ['a'], into: 'b' },
  ])
  expect(changesOf('q', stored, with_('a', { fate: 'retire' }))).toEqual([{ type: 'retire_label', ...of, label: 'a' }])
  expect(changesOf('q', stored, with_('c', { fate: 'keep' }))).toEqual([{ type: 'restore_label', ...of, label: 'c' }])
})

test('merges into a label under its new name, and adds labels before it merges', () => {
  const added: LabelRow = { key: 'new', isNew: true, text: 'N', fate: 'keep', parts: '', parent: '' }
  const rows = [...with_('a', { fate: 'into:new' }).map((row) => (row.key === 'b' ? { ...row, text: 'Bee' } : row)), added]
  expect(changesOf('q', stored, rows)).toEqual([
    { type: 'rename_label', ...of, label: 'b', value: 'Bee', text: 'Bee' },
    { type: 'add_label', ...of, value: 'N', text: 'N' },
    { type: 'merge_labels', ...of, labels: ['a'], into: 'N' },
  ])
})

test('splits into existing and new labels, in the place of the label', () => {
  const rows = with_('a', { fate: 'split', parts: ' B, A1 ,, A2,B' })
  expect(isComplete(rows)).toBe(true)
  expect(isComplete(with_('a', { fate: 'split', parts: 'B, ' }))).toBe(false)
  const into = [
    { value: 'b', text: 'B' },
    { value: 'A1', text: 'A1' },
    { value: 'A2', text: 'A2' },
  ]
  const split = { type: 'split_label', ...of, label: 'a', into }
  expect(changesOf('q', stored, rows)).toEqual([split])
  const kept = rows.map((row) => (row.key === 'c' ? { ...row, fate: 'keep' as const } : row))
  const order = { type: 'reorder', ...of, labels: ['c', 'b', 'A1', 'A2'] }
  const restore = { type: 'restore_label', ...of, label: 'c' }
  expect(changesOf('q', stored, [kept[2] as LabelRow, ...kept.slice(0, 2)])).toEqual([split, restore, order])
})

test('sends a new order only if it differs', () => {
  const [a, b, c] = rowsOf(stored) as [LabelRow, LabelRow, LabelRow]
  expect(changesOf('q', stored, [b, a, c])).toEqual([{ type: 'reorder', ...of, labels: ['b', 'a'] }])
  expect(changesOf('q', stored, [a, c, b])).toEqual([])
})

test('leaves out labels that are being replaced, and questions without labels', () => {
  const replaced = { type: 'label_selection', visible_options: null, options, retired: ['c'], replaced: [{ from: 'c', to: 'a' }] }
  expect(labelsOf(replaced as never)).toEqual({ options: options.slice(0, 2), retired: [] })
  expect(labelsOf({ type: 'rating', options: [{ value: 1 }] })).toBe(null)
  expect(labelsOf({ type: 'label_selection', postil_kind: 'comparison', options } as never)).toBe(null)
  expect(labelsOf({ type: 'text', use_markdown: false } as never)).toBe(null)
})

test('offers only kept labels with a name as targets', () => {
  const rows = with_('b', { text: ' ' })
  expect(targetsOf(rows, rows[0] as LabelRow)).toEqual([])
})

test('leaves out new rows without a name, and reports repeated names', () => {
  const rows = [...rowsOf(stored), newRow(' ')]
  expect([isComplete(rows), changesOf('q', stored, rows)]).toEqual([true, []])
  const twice = [...rowsOf(stored), newRow('B')]
  expect([isComplete(twice), [...repeatedNames(twice).values()]]).toEqual([false, ['B']])
  expect(isComplete(with_('b', { text: ' ' }))).toBe(false)
  expect(isComplete(with_('a', { fate: 'into:' }))).toBe(false)
})

test('puts a new label below another one, under the new name of that label', () => {
  const first = { ...newRow('first'), parent: 'a' }
  const second = { ...newRow('second'), parent: first.key }
  const rows = [...with_('a', { text: 'Animal' }), first, second]
  expect(changesOf('q', stored, rows)).toEqual([
    { type: 'rename_label', ...of, label: 'a', value: 'Animal', text: 'Animal' },
    { type: 'add_label', ...of, value: 'first', text: 'first', parent: 'Animal' },
    { type: 'add_label', ...of, value: 'second', text: 'second', parent: 'first' },
  ])
  // Retired labels and later rows can't be the parent of a new label.
  expect(parentsFor(rows, first).map(({ text }) => text)).toEqual(['Animal', 'B'])
  const retired = [...with_('a', { fate: 'retire' }), first]
  expect(changesOf('q', stored, retired)).toContainEqual({ type: 'add_label', ...of, value: 'first', text: 'first' })
})
