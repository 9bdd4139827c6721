import type { SavedView } from '@postil/contract/saved-views.ts'
import { newView } from '../actions/saved-views.ts'
import { type ApiFixture, must } from '../fixture.ts'
import { empty, inRich, nobody, type Refusal, uniqueName } from './refusal.ts'

const MAX_COUNT = 100
const create = async (fixture: ApiFixture, dataset_id: string, name: string) =>
  must(await fixture.owner.post<SavedView>(`/datasets/${dataset_id}/views`, { name, query: 'status=draft' }))

export const savedViewRefusals: readonly Refusal[] = [
  {
    id: 'saved_views.create',
    why: 'the name is taken',
    status: 409,
    sent: async (fixture) => {
      const name = uniqueName('taken')
      await create(fixture, fixture.rich.dataset.id, name)
      return { ...inRich(fixture), body: { name, query: 'status=pending' } }
    },
  },
  {
    id: 'saved_views.create',
    why: 'there are already a hundred',
    status: 422,
    sent: async (fixture) => {
      const { params } = await empty(fixture)
      for (let i = 0; i < MAX_COUNT; i += 1) await create(fixture, params.dataset_id, `view ${i}`)
      return { params, body: { name: 'one more', query: 'status=pending' } }
    },
  },
  {
    id: 'saved_views.update',
    why: 'the name is taken',
    status: 409,
    sent: async (fixture) => {
      const name = uniqueName('taken')
      await create(fixture, fixture.rich.dataset.id, name)
      return { params: await newView(fixture, 'owner', true), body: { name } }
    },
  },
  {
    id: 'saved_views.delete',
    why: 'the view selects test items',
    status: 409,
    sent: async (fixture) => {
      const { params } = await empty(fixture)
      const { id } = await create(fixture, params.dataset_id, 'test items')
      must(await fixture.owner.put(`/datasets/${params.dataset_id}/review-settings`, { checks: { every: 2, view_id: id } }))
      return { params: { ...params, view_id: id } }
    },
  },
  ...(['saved_views.update', 'saved_views.delete'] as const).flatMap((id): Refusal[] => [
    {
      id,
      why: 'the view does not exist',
      status: 404,
      sent: (fixture) => ({
        params: { ...inRich(fixture).params, view_id: nobody },
        ...(id === 'saved_views.update' && { body: {} }),
      }),
    },
    {
      id,
      why: 'the view belongs to someone else',
      status: 404,
      sent: async (fixture) => ({
        params: await newView(fixture, 'colleague', false),
        ...(id === 'saved_views.update' && { body: {} }),
      }),
    },
  ]),
]
