import type { SavedView } from '@postil/contract/saved-views.ts'
import { type ApiFixture, must, type Who } from '../fixture.ts'
import { uniqueName } from '../refusals/refusal.ts'
import { type Action, admins, members } from './action.ts'

const inRich = ({ rich }: ApiFixture) => ({ dataset_id: rich.dataset.id })

/** Creates a user's saved view in the rich dataset. */
export const newView = async (fixture: ApiFixture, who: Who | 'colleague', shared: boolean) => {
  const { server, colleague, rich, word } = fixture
  const client = who === 'colleague' ? server.clientFor(colleague) : fixture.as(who)
  const body = { name: uniqueName(`${word} view`), query: 'page=1&status=draft', shared }
  const { id } = must(await client.post<SavedView>(`/datasets/${rich.dataset.id}/views`, body))
  return { ...inRich(fixture), view_id: id }
}

const shared = (id: string, body?: object): Action => ({
  id,
  what: "someone else's shared view",
  allowed: admins,
  missing: 'found first',
  request: async (fixture) => ({ params: await newView(fixture, 'colleague', true), ...(body && { body }) }),
})
const own = (id: string, body?: object): Action => ({
  id,
  what: "the caller's view",
  allowed: members,
  request: async (fixture, who) => ({ params: await newView(fixture, who, false), ...(body && { body }) }),
})

export const savedViewActions: readonly Action[] = [
  {
    id: 'saved_views.list',
    allowed: members,
    missing: 'found first',
    request: async (fixture) => {
      const { view_id: _, ...params } = await newView(fixture, 'colleague', true)
      return { params }
    },
  },
  {
    id: 'saved_views.create',
    allowed: members,
    missing: 'found first',
    request: (fixture) => ({ params: inRich(fixture), body: { name: uniqueName('a view'), query: 'status=pending' } }),
  },
  shared('saved_views.update', { query: 'status=submitted' }),
  own('saved_views.update', { shared: true }),
  shared('saved_views.delete'),
  own('saved_views.delete'),
]
