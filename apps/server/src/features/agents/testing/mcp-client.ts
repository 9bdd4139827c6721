import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Client as ApiClient, Response } from '@postil/testkit/client.ts'
import type { TestUser } from '@postil/testkit/factories.ts'
import type { ReviewTeam } from '#features/review/testing/review-team.ts'

const roles = ['owner', 'admin', 'agent', 'reviewer', 'annotator', 'stranger'] as const
type Who = (typeof roles)[number]
export type McpTeam = ReviewTeam & { readonly people: { readonly [W in Who]: TestUser } }

export type Outcome = { readonly isError: boolean; readonly text: string; readonly result: unknown }

/** Connects the official client of the protocol as a user. @param url the URL of the server without a trailing slash */
export const connect = async (url: string, { api_key }: Pick<TestUser, 'api_key'>) => {
  const headers = { authorization: `Bearer ${api_key}` }
  const client = new Client({ name: 'test', version: '1.0.0' })
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }))
  return {
    list: async () => (await client.listTools()).tools,
    call: async (name: string, args: object): Promise<Outcome> => {
      const { isError = false, content, structuredContent } = await client.callTool({ name, arguments: { ...args } })
      const [first] = Array.isArray(content) ? content : []
      return { isError: isError === true, text: first?.type === 'text' ? String(first.text) : '', result: structuredContent }
    },
    close: () => client.close(),
  }
}

type Case = {
  readonly tool: string
  readonly args: (team: McpTeam) => object
  readonly allowed: readonly Who[]
  /** Makes the API request that corresponds to the tool call. */
  readonly api: (team: McpTeam, as: ApiClient) => Promise<Response<unknown>>
}

const members = ['owner', 'admin', 'agent', 'reviewer', 'annotator'] as const
const leads = ['owner', 'admin', 'agent'] as const
const ofDataset = ({ dataset: dataset_id }: McpTeam) => ({ dataset_id })
const ofRecord = ({ ids: [record_id] }: McpTeam) => ({ record_id })

/** A valid call of each tool, in an order in which all calls succeed. */
export const toolCalls: readonly Case[] = [
  { tool: 'list_datasets', args: () => ({}), allowed: roles, api: (_, as) => as.get('/me/datasets') },
  { tool: 'get_dataset', args: ofDataset, allowed: members, api: ({ path }, as) => as.get(path) },
  {
    tool: 'search_records',
    args: (team) => ({ ...ofDataset(team), text: 'text' }),
    allowed: members,
    api: ({ path }, as) => as.post(`${path}/records/search`, {}),
  },
  { tool: 'get_record', args: ofRecord, allowed: members, api: ({ ids }, as) => as.get(`/records/${ids[0]}`) },
  { tool: 'list_comments', args: ofRecord, allowed: members, api: ({ ids }, as) => as.get(`/records/${ids[0]}/comments`) },
  { tool: 'get_progress', args: ofDataset, allowed: members, api: ({ path }, as) => as.get(`${path}/progress`) },
  { tool: 'get_agreement', args: ofDataset, allowed: leads, api: ({ path }, as) => as.get(`${path}/agreement`) },
  {
    tool: 'compare_answers',
    args: ofRecord,
    allowed: [...leads, 'reviewer'],
    api: ({ ids }, as) => as.get(`/records/${ids[0]}/comparison`),
  },
  {
    tool: 'add_suggestions',
    args: (team) => ({ ...ofDataset(team), suggestions: [{ ...ofRecord(team), question: 'label', value: 'yes' }] }),
    allowed: leads,
    api: async ({ owner, path, ids }, as) => {
      const { body } = await owner.get<{ items: { id: string }[] }>(`${path}/questions`)
      const visible = await as.get(path)
      if (visible.status !== 200) return visible
      return as.put(`/records/${ids[0]}/suggestions`, { question_id: body.items[0]?.id, value: 'yes' })
    },
  },
  {
    tool: 'add_comment',
    args: (team) => ({ ...ofRecord(team), text: 'Is this irony?', question: 'label' }),
    allowed: members,
    api: ({ ids }, as) => as.post(`/records/${ids[0]}/comments`, { text: 'Is this irony?' }),
  },
  {
    tool: 'propose_final_answers',
    args: (team) => ({ ...ofRecord(team), values: { label: 'yes' } }),
    allowed: [...leads, 'reviewer'],
    api: ({ ids }, as) => as.get(`/records/${ids[0]}/comparison`),
  },
]
