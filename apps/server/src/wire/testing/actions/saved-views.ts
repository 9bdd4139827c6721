import type { SavedView } from '@postil/contract/saved-views.ts'
import { fresh } from '../refusals/refusal.ts'
import { must, type Stage, type Who } from '../stage.ts'
import { type Action, admins, members } from './action.ts'

const inRich = ({ rich }: Stage) => ({ dataset_id: rich.dataset.id })

/** A view of somebody, in the dataset that has everything. */
export const newView = async (stage: Stage, who: Who | 'colleague', shared: boolean) => {
  const { server, colleague, rich, word } = stage
  const client = who === 'colleague' ? server.as(colleague) : stage.as(who)
  const body = { name: fresh(`${word} view`), query: 'page=1&status=draft', shared }
  const { id } = must(await client.post<SavedView>(`/datasets/${rich.dataset.id}/views`, body))
  return { ...inRich(stage), view_id: id }
}

const shared = (id: string, body?: object): Action => ({
  id,
  what: "somebody else's that is shared",
  allowed: admins,
  missing: 'found first',
  request: async (stage) => ({ params: await newView(stage, 'colleague', true), ...(body && { body }) }),
})
const own = (id: string, body?: object): Action => ({
  id,
  what: 'the own one',
  allowed: members,
  request: async (stage, who) => ({ params: await newView(stage, who, false), ...(body && { body }) }),
})

export const savedViewActions: readonly Action[] = [
  {
    id: 'saved_views.list',
    allowed: members,
    missing: 'found first',
    request: async (stage) => {
      const { view_id: _, ...params } = await newView(stage, 'colleague', true)
      return { params }
    },
  },
  {
    id: 'saved_views.create',
    allowed: members,
    missing: 'found first',
    request: (stage) => ({ params: inRich(stage), body: { name: fresh('a view'), query: 'status=pending' } }),
  },
  shared('saved_views.update', { query: 'status=submitted' }),
  own('saved_views.update', { shared: true }),
  shared('saved_views.delete'),
  own('saved_views.delete'),
]
