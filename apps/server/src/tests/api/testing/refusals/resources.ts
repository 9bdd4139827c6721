import type { SavedView } from '@postil/contract/saved-views.ts'
import { must } from '../fixture.ts'
import { empty, inRich, nobody, type Refusal, uniqueName } from './refusal.ts'

const newUser = (more: object) => ({ first_name: 'F', username: uniqueName('u'), password: 'long enough', ...more })
export const peopleRefusals: readonly Refusal[] = [
  {
    id: 'users.create',
    why: 'the name is taken',
    status: 409,
    sent: ({ colleague }) => ({ body: newUser({ username: colleague.username }) }),
  },
  { id: 'users.create', why: 'the ID is taken', status: 409, sent: ({ colleague }) => ({ body: newUser({ id: colleague.id }) }) },
  {
    id: 'invitations.create',
    why: 'the name is taken',
    status: 409,
    sent: ({ colleague, workspace }) => ({
      body: { first_name: 'F', username: colleague.username, workspace_ids: [workspace.id] },
    }),
  },
  {
    id: 'users.update',
    why: 'the name is taken',
    status: 422,
    sent: ({ colleague, users }) => ({ params: { user_id: users.adminIn.id }, body: { username: colleague.username } }),
  },
  {
    id: 'users.delete',
    why: 'a view of the user selects test items',
    status: 409,
    sent: async (fixture) => {
      const { params } = await empty(fixture)
      const author = await fixture.server.createUser({ role: 'admin', workspaces: [fixture.workspace.id] })
      const path = `/datasets/${params.dataset_id}`
      const body = { name: 'test items', query: 'status=submitted', shared: true }
      const { id } = must(await fixture.server.clientFor(author).post<SavedView>(`${path}/views`, body))
      must(await fixture.owner.put(`${path}/review-settings`, { checks: { every: 2, view_id: id } }))
      return { params: { user_id: author.id } }
    },
  },
  {
    id: 'workspaces.create',
    why: 'the name is taken',
    status: 409,
    sent: ({ workspace }) => ({ body: { name: workspace.name } }),
  },
  {
    id: 'workspaces.create',
    why: 'the ID is taken',
    status: 409,
    sent: ({ workspace }) => ({ body: { name: uniqueName('w'), id: workspace.id } }),
  },
  {
    id: 'workspaces.delete',
    why: 'the workspace has datasets',
    status: 409,
    sent: ({ workspace }) => ({ params: { workspace_id: workspace.id } }),
  },
  {
    id: 'workspaces.add_user',
    why: 'the user does not exist',
    status: 422,
    sent: ({ workspace }) => ({ params: { workspace_id: workspace.id }, body: { user_id: nobody } }),
  },
  {
    id: 'workspaces.add_user',
    why: 'the user is already a member',
    status: 409,
    sent: ({ workspace, colleague }) => ({ params: { workspace_id: workspace.id }, body: { user_id: colleague.id } }),
  },
  {
    id: 'workspaces.remove_user',
    why: 'the user is not a member',
    status: 404,
    beforePermission: true,
    sent: ({ workspace, users }) => ({ params: { workspace_id: workspace.id, user_id: users.adminOut.id } }),
  },
]

export const datasetRefusals: readonly Refusal[] = [
  {
    id: 'datasets.create',
    why: 'the workspace does not exist',
    status: 422,
    sent: () => ({ body: { name: 'x', workspace_id: nobody } }),
  },
  {
    id: 'datasets.create',
    why: 'the name is taken',
    status: 409,
    sent: ({ rich, workspace }) => ({ body: { name: rich.dataset.name, workspace_id: workspace.id } }),
  },
  {
    id: 'datasets.update',
    why: 'the name is taken',
    status: 409,
    sent: async (fixture) => ({ ...(await empty(fixture)), body: { name: fixture.rich.dataset.name } }),
  },
  {
    id: 'datasets.update',
    why: 'there are already answers',
    status: 422,
    code: 'update_distribution_with_existing_responses',
    sent: async (fixture) => {
      await fixture.newRecord()
      return { ...inRich(fixture), body: { distribution: { strategy: 'overlap', min_submitted: 9 } } }
    },
  },
  { id: 'datasets.publish', why: 'the dataset is already published', status: 422, sent: inRich },
  { id: 'datasets.publish', why: 'the dataset has no field', status: 422, sent: (fixture) => empty(fixture) },
  {
    id: 'datasets.publish',
    why: 'the dataset has no required question',
    status: 422,
    sent: (fixture) =>
      empty(fixture, {
        fields: [{ name: 'f', settings: { type: 'text' } }],
        questions: [{ name: 'q', settings: { type: 'text' } }],
      }),
  },
]
