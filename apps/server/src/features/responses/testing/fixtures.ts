import type { Response } from '@postil/contract/responses.ts'
import type { Response as Answered, Client } from '@postil/testkit/client.ts'
import type { TestUser } from '@postil/testkit/factories.ts'
import { recountResponses } from '../counters/recount.ts'
import type { ResponsesServer } from './boot.ts'
import { bootWithTool } from './boot.ts'

const options = (...values: string[]) => values.map((value) => ({ value, text: value }))
const questions = [
  { name: 'label', required: true, settings: { type: 'label_selection', options: options('a', 'b') } },
  { name: 'tags', settings: { type: 'multi_label_selection', options: options('x', 'y', 'z') } },
  { name: 'stars', settings: { type: 'rating', options: [{ value: 1 }, { value: 2 }] } },
  { name: 'order', settings: { type: 'ranking', options: options('p', 'q') } },
  { name: 'words', settings: { type: 'span', field: 'text', options: options('s') } },
]

export const UNKNOWN = '00000000-0000-7000-8000-000000000000'
export const label = (value: unknown) => ({ label: { value } })

/** A server with a dataset that has every question type, and users with every level of access to its workspace. */
export type ResponsesFixture = {
  readonly server: ResponsesServer
  readonly workspace: string
  readonly dataset: string
  /** Annotators of the workspace. */
  readonly ann: TestUser
  readonly bob: TestUser
  readonly admin: TestUser
  /** An annotator and an admin without a workspace. */
  readonly stranger: TestUser
  readonly foreignAdmin: TestUser
  readonly as: (user: TestUser) => Client
  readonly newRecord: () => Promise<string>
  readonly answer: (user: TestUser, record: string, body: unknown) => Promise<Answered<Response>>
  /** Stored counts that differ from a recount. */
  readonly differences: () => Promise<readonly unknown[]>
}

export const createFixture = async (): Promise<ResponsesFixture> => {
  const server = await bootWithTool()
  const workspace = (await server.createWorkspace()).id
  const workspaces = [workspace]
  const dataset = (await server.createDataset({ workspace_id: workspace, questions })).id
  const newRecord = async () => (await server.addRecords(dataset, 1, () => ({ text: 'héllo 😀 world' })))[0] as string
  return {
    server,
    workspace,
    dataset,
    ann: await server.createUser({ workspaces }),
    bob: await server.createUser({ workspaces }),
    admin: await server.createUser({ role: 'admin', workspaces }),
    stranger: await server.createUser(),
    foreignAdmin: await server.createUser({ role: 'admin' }),
    as: server.clientFor,
    newRecord,
    answer: (user, record, body) => server.clientFor(user).post<Response>(`/records/${record}/responses`, body),
    differences: () => server.app.ctx.store.read(recountResponses, {}),
  }
}
