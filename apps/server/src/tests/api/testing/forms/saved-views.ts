import type { SavedView } from '@postil/contract/saved-views.ts'
import { newView } from '../actions/saved-views.ts'
import { type ApiFixture, must } from '../fixture.ts'
import { bool, type Form, nullable, patched, required, text, values } from './rule.ts'

const LONGEST = 8000
const queryOf = (length: number) => 'search='.padEnd(length, 'a')
const rules = (presence: object) => [
  text('name', presence, { min: 1, max: 200 }),
  values(
    'query',
    presence,
    'string_type',
    [
      [7, 'string_type'],
      [{}, 'string_type'],
      ['', 'string_too_short'],
      [queryOf(LONGEST + 1), 'string_too_long'],
      ['?status=draft', 'value_error'],
      ['color=red', 'value_error'],
      ['status=other', 'value_error'],
      ['status=', 'value_error'],
      ['status', 'value_error'],
      ['status=draft&status=draft', 'value_error'],
      ['status=draft&page=1', 'value_error'],
      ['page=3', 'value_error'],
      ['search=a b', 'value_error'],
      ['search=%zz', 'value_error'],
      ['search=%00', 'value_error'],
      ['search=%ED%A0%80', 'value_error'],
      ['sort=name', 'value_error'],
      ['similarity=record.x', 'value_error'],
      ['metadata=source', 'value_error'],
      ['suggestion=label.other.a', 'value_error'],
    ],
    [
      ['page=1~25&status=discarded'],
      ['search=%C3%A9t%C3%A9_!2E~all&metadata=length.ge50.le500~source.web&sort=record.inserted_at.desc'],
      [queryOf(LONGEST)],
    ],
  ),
]

/** Deletes the owner's saved views. A user can have at most 100, and the tests create more. */
const clearViews = async ({ owner, rich }: ApiFixture): Promise<void> => {
  const { items } = must(await owner.get<{ items: SavedView[] }>(`/datasets/${rich.dataset.id}/views`))
  for (const { id } of items) must(await owner.delete(`/datasets/${rich.dataset.id}/views/${id}`))
}

export const savedViewForms: readonly Form[] = [
  {
    id: 'saved_views.create',
    good: async (fixture) => {
      await clearViews(fixture)
      return { params: { dataset_id: fixture.rich.dataset.id }, body: { name: 'a view', query: 'status=draft' } }
    },
    rules: [...rules(required), bool('shared', nullable)],
  },
  {
    id: 'saved_views.update',
    good: async (fixture) => {
      await clearViews(fixture)
      return { params: await newView(fixture, 'owner', false), body: {} }
    },
    rules: [...rules(patched), bool('shared', patched)],
  },
]
