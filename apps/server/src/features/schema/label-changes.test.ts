import type { LabelChange } from '@postil/contract/schema-versions.ts'
import { defaultLimits } from '@postil/contract/wire/limits.ts'
import { renderMessage } from '@postil/contract/wire/render-message.ts'
import { expect, it } from 'vitest'
import { LabelList, type LabelSettings, labelsFault, settingsWith } from './label-changes.ts'

const tree: { readonly [value: string]: string | null } = {
  animals: null,
  dogs: 'animals',
  poodle: 'dogs',
  beagle: 'dogs',
  plants: null,
  trees: 'plants',
}
const settings: LabelSettings = {
  type: 'label_selection',
  options: Object.entries(tree).map(([value, parent]) => ({
    value,
    text: value,
    description: null,
    ...(parent !== null && { parent }),
  })),
  visible_options: null,
}
const question_id = '00000000-0000-0000-0000-000000000000'
const name = (value: string) => ({ value, text: value })
const changed = (...changes: readonly object[]) => {
  const list = new LabelList(settings)
  for (const change of changes) {
    const reason = list.apply({ question_id, ...change } as LabelChange, true)
    if (reason !== null) return renderMessage(reason)
  }
  const after = settingsWith(list.settings, list.after())
  const fault = labelsFault(after, defaultLimits)
  if (fault !== null) return renderMessage(fault)
  return Object.fromEntries(after.options.map(({ value, parent = null }) => [value, parent]))
}

it('a new name is also used as the parent of other labels', () => {
  expect(changed({ type: 'rename_label', label: 'dogs', ...name('Dogs') })).toEqual({
    animals: null,
    Dogs: 'animals',
    poodle: 'Dogs',
    beagle: 'Dogs',
    plants: null,
    trees: 'plants',
  })
})

it('labels below a merged one move with it', () => {
  const merged = changed({ type: 'merge_labels', labels: ['dogs'], into: 'trees' })
  expect(merged).toMatchObject({ poodle: 'trees', beagle: 'trees', trees: 'plants' })
  // `poodle` takes the place of `animals`, which was above it in the tree.
  const up = changed({ type: 'merge_labels', labels: ['animals'], into: 'poodle' })
  expect(up).toEqual({ dogs: 'poodle', poodle: null, beagle: 'dogs', plants: null, trees: 'plants' })
})

it('new labels take the place of a split label, or are below the named parent', () => {
  const split = changed({ type: 'split_label', label: 'poodle', into: [name('toy'), name('standard')] })
  expect(split).toMatchObject({ poodle: 'dogs', toy: 'dogs', standard: 'dogs' })
  expect(changed({ type: 'add_label', ...name('oak'), parent: 'trees' })).toMatchObject({ oak: 'trees' })
  expect(changed({ type: 'add_label', ...name('oak'), parent: 'shrubs' })).toMatch(/shrubs/)
})

it('a retired label stays a parent, and trees that are too deep are refused', () => {
  expect(changed({ type: 'retire_label', label: 'dogs' })).toEqual(tree)
  const deeper = ['poodle', 'a', 'b', 'c', 'd'].flatMap((parent, i, all) =>
    i + 1 < all.length ? [{ type: 'add_label', ...name(all[i + 1] ?? ''), parent }] : [],
  )
  expect(changed(...deeper)).toBe(
    "The labels would not be valid: The option 'd' is more than 6 levels deep, counted from the top of the tree",
  )
})
