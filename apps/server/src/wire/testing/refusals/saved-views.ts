import type { SavedView } from '@postil/contract/saved-views.ts'
import { newView } from '../actions/saved-views.ts'
import { must, type Stage } from '../stage.ts'
import { empty, fresh, inRich, nobody, type Refusal } from './refusal.ts'

const MOST = 100
const create = async (stage: Stage, dataset_id: string, name: string) =>
  must(await stage.owner.post<SavedView>(`/datasets/${dataset_id}/views`, { name, query: 'status=draft' }))

export const savedViewRefusals: readonly Refusal[] = [
  {
    id: 'saved_views.create',
    why: 'the name is taken',
    status: 409,
    sent: async (stage) => {
      const name = fresh('taken')
      await create(stage, stage.rich.dataset.id, name)
      return { ...inRich(stage), body: { name, query: 'status=pending' } }
    },
  },
  {
    id: 'saved_views.create',
    why: 'there are a hundred',
    status: 422,
    sent: async (stage) => {
      const { params } = await empty(stage)
      for (let i = 0; i < MOST; i += 1) await create(stage, params.dataset_id, `view ${i}`)
      return { params, body: { name: 'one more', query: 'status=pending' } }
    },
  },
  {
    id: 'saved_views.update',
    why: 'the name is taken',
    status: 409,
    sent: async (stage) => {
      const name = fresh('taken')
      await create(stage, stage.rich.dataset.id, name)
      return { params: await newView(stage, 'owner', true), body: { name } }
    },
  },
  ...(['saved_views.update', 'saved_views.delete'] as const).flatMap((id): Refusal[] => [
    {
      id,
      why: 'there is no such view',
      status: 404,
      sent: (stage) => ({
        params: { ...inRich(stage).params, view_id: nobody },
        ...(id === 'saved_views.update' && { body: {} }),
      }),
    },
    {
      id,
      why: 'it is the own one of somebody else',
      status: 404,
      sent: async (stage) => ({
        params: await newView(stage, 'colleague', false),
        ...(id === 'saved_views.update' && { body: {} }),
      }),
    },
  ]),
]
