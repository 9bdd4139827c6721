import type { Dataset, DatasetCreate } from '@postil/contract/datasets.ts'
import type { User, UserRole } from '@postil/contract/people/users.ts'
import type { Workspace } from '@postil/contract/people/workspaces.ts'
import type { Client, Response } from './client.ts'

export type TestUser = User & { readonly password: string }

type Named = { readonly name: string; readonly [key: string]: unknown }
export type DatasetSpec = Partial<Omit<DatasetCreate, 'workspace_id'>> & {
  /** Default: a new workspace. */
  readonly workspace_id?: string
  readonly fields?: readonly Named[]
  readonly questions?: readonly Named[]
  readonly metadata_properties?: readonly Named[]
  readonly vectors_settings?: readonly Named[]
  /** Default true. */
  readonly publish?: boolean
}

/** Creates users, workspaces and datasets over HTTP as the owner, with generated names by default. */
export type Factories = {
  /** Creates a user who is a member of `workspaces` (ids). */
  readonly createUser: (spec?: {
    readonly role?: UserRole
    readonly username?: string
    readonly first_name?: string
    readonly last_name?: string
    readonly password?: string
    readonly workspaces?: readonly string[]
  }) => Promise<TestUser>
  readonly createWorkspace: (name?: string) => Promise<Workspace>
  /** Creates a dataset. By default, it is published and has a text field `text` and a label question `label` (yes, no). */
  readonly createDataset: (spec?: DatasetSpec) => Promise<Dataset>
}

const textField: Named = { name: 'text', title: 'Text', required: true, settings: { type: 'text' } }
const labelQuestion: Named = {
  name: 'label',
  title: 'Label',
  required: true,
  settings: {
    type: 'label_selection',
    options: [
      { value: 'yes', text: 'Yes' },
      { value: 'no', text: 'No' },
    ],
  },
}

const must = <T>({ status, body }: Response<T>): T => {
  if (status >= 300) throw new Error(`the server answered ${status} ${JSON.stringify(body)}`)
  return body
}

export const createFactories = (owner: Client): Factories => {
  let createdCount = 0
  const name = (what: string) => `${what}-${++createdCount}`
  const createWorkspace = async (wanted = name('workspace')) => must(await owner.post<Workspace>('/workspaces', { name: wanted }))
  return {
    createWorkspace,
    createUser: async ({ workspaces = [], ...spec } = {}) => {
      const user = { role: 'annotator', username: name('user'), first_name: 'First', password: 'a-password', ...spec }
      const body = must(await owner.post<User>('/users', user))
      for (const id of workspaces) must(await owner.post(`/workspaces/${id}/users`, { user_id: body.id }))
      return { ...body, password: user.password }
    },
    createDataset: async ({ fields, questions, metadata_properties, vectors_settings, publish, ...spec } = {}) => {
      const workspace_id = spec.workspace_id ?? (await createWorkspace()).id
      const dataset = must(await owner.post<Dataset>('/datasets', { name: name('dataset'), ...spec, workspace_id }))
      const add = async (route: string, items: readonly Named[]) => {
        for (const item of items) must(await owner.post(`/datasets/${dataset.id}/${route}`, { title: item.name, ...item }))
      }
      await add('fields', fields ?? [textField])
      await add('questions', questions ?? [labelQuestion])
      await add('metadata-properties', metadata_properties ?? [])
      await add('vectors-settings', vectors_settings ?? [])
      return publish === false ? dataset : must(await owner.put<Dataset>(`/datasets/${dataset.id}/publish`))
    },
  }
}
