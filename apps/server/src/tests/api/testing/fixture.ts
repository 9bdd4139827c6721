import type { Dataset } from '@postil/contract/datasets.ts'
import type { Field } from '@postil/contract/fields.ts'
import type { MetadataProperty } from '@postil/contract/metadata-properties.ts'
import type { Workspace } from '@postil/contract/people/workspaces.ts'
import type { Question } from '@postil/contract/questions.ts'
import type { Record } from '@postil/contract/records.ts'
import type { Response as Answer } from '@postil/contract/responses.ts'
import type { VectorSettings } from '@postil/contract/vectors-settings.ts'
import type { TestServer } from '@postil/testkit/boot.ts'
import type { Client, Response } from '@postil/testkit/client.ts'
import type { TestUser } from '@postil/testkit/factories.ts'
import { richRecord, richSchema, richValues } from './rich.ts'

/**
 * The senders of requests, relative to the tested workspace: `In` users are its members, `Out` users belong to another
 * workspace.
 */
export const people = ['owner', 'adminIn', 'adminOut', 'annotatorIn', 'annotatorOut'] as const
export type Who = (typeof people)[number]
export const strangers: readonly Who[] = ['adminOut', 'annotatorOut']

/** A dataset and the IDs of its parts, keyed by the parts' names. */
export type Rich = {
  readonly dataset: Dataset
  readonly fields: { readonly [name: string]: string }
  readonly questions: { readonly [name: string]: string }
  readonly properties: { readonly [name: string]: string }
  readonly vectors: { readonly [name: string]: string }
}

/** Data for API tests: a workspace that contains every kind of data, and users inside and outside the workspace. */
export type ApiFixture = {
  readonly server: TestServer
  readonly owner: Client
  /** A word that occurs in every text inside the workspace and in no text outside it. */
  readonly word: string
  readonly users: { readonly [W in Who]: TestUser }
  readonly as: (who: Who | null) => Client
  /** An annotator of the workspace who has answered the records. */
  readonly colleague: TestUser
  readonly workspace: Workspace
  /** A published dataset with everything that a dataset can have. */
  readonly rich: Rich
  /** Creates a draft with some of the rich dataset's parts. */
  readonly newDraft: () => Promise<Rich>
  /** Creates a record in `rich` with metadata, vectors, suggestions and the colleague's answer. */
  readonly newRecord: () => Promise<Record>
  readonly newAnswer: (author: TestUser) => Promise<Answer>
  readonly newUser: (workspaces?: readonly string[]) => Promise<TestUser>
  /** Creates a workspace with the same members. */
  readonly newWorkspace: () => Promise<Workspace>
}

export const must = <T>({ status, body }: Response<T>): T => {
  if (status >= 300) throw new Error(`the server answered ${status} ${JSON.stringify(body)}`)
  return body
}

type Part = Field | Question | MetadataProperty | VectorSettings
const idsByName = (items: readonly Part[]) => Object.fromEntries(items.map(({ name, id }) => [name, id]))

/** Requests the dataset's parts through the API. Returns their IDs, keyed by name. */
export const partsOf = async (owner: Client, dataset: Dataset): Promise<Rich> => {
  const list = async (path: string) => idsByName(must(await owner.get<{ items: Part[] }>(path)).items)
  const [fields, questions, vectors, properties] = await Promise.all([
    list(`/datasets/${dataset.id}/fields`),
    list(`/datasets/${dataset.id}/questions`),
    list(`/datasets/${dataset.id}/vectors-settings`),
    list(`/me/datasets/${dataset.id}/metadata-properties`),
  ])
  return { dataset, fields, questions, vectors, properties }
}

/** Text in the colleague's answers that other annotators must not see. */
export const confidential = (word: string) => `${word} confidential`

let count = 0
const nextName = (word: string) => `${word}-${++count}`

export const createApiFixture = async (server: TestServer, word: string): Promise<ApiFixture> => {
  const owner = server.clientFor(server.owner)
  const workspace = await server.createWorkspace(nextName(word))
  const outside = await server.createWorkspace(nextName('elsewhere'))
  await server.createDataset({ workspace_id: outside.id, name: nextName('elsewhere') })
  const user = (role: 'admin' | 'annotator', home: Workspace, name: string) =>
    server.createUser({
      role,
      workspaces: [home.id],
      username: nextName(name),
      first_name: `${name} first`,
      last_name: `${name} last`,
    })
  const users = {
    owner: server.owner,
    adminIn: await user('admin', workspace, word),
    adminOut: await user('admin', outside, 'outside'),
    annotatorIn: await user('annotator', workspace, word),
    annotatorOut: await user('annotator', outside, 'outside'),
  }
  const colleague = await user('annotator', workspace, word)
  const schema = richSchema(word)
  const dataset = async (more: object) =>
    partsOf(owner, await server.createDataset({ ...schema, workspace_id: workspace.id, name: nextName(word), ...more }))
  const rich = await dataset({})
  const newRecord = async () => {
    const values = { ...richValues(word), [`${word}-comment`]: { value: confidential(word) } }
    const response = { user_id: colleague.id, status: 'submitted', values }
    const item = { ...richRecord(word, nextName(word), rich.questions), responses: [response] }
    const { items } = must(await owner.post<{ items: Record[] }>(`/datasets/${rich.dataset.id}/records/bulk`, { items: [item] }))
    return items[0]!
  }
  return {
    server,
    owner,
    word,
    users,
    as: (who) => server.clientFor(who === null ? null : users[who]),
    colleague,
    workspace,
    rich,
    newDraft: () =>
      dataset({
        fields: schema.fields.slice(0, 2),
        questions: schema.questions.slice(0, 2),
        metadata_properties: schema.metadata_properties.slice(0, 1),
        vectors_settings: schema.vectors_settings.slice(0, 1),
        publish: false,
      }),
    newRecord,
    newAnswer: async (author) => {
      const { id } = await newRecord()
      return must(
        await server.clientFor(author).post<Answer>(`/records/${id}/responses`, { status: 'draft', values: richValues(word) }),
      )
    },
    newUser: (workspaces = []) => server.createUser({ username: nextName(word), first_name: word, workspaces }),
    newWorkspace: async () => {
      const made = await server.createWorkspace(nextName(word))
      for (const { id } of [users.adminIn, users.annotatorIn]) {
        must(await owner.post(`/workspaces/${made.id}/users`, { user_id: id }))
      }
      return made
    },
  }
}
