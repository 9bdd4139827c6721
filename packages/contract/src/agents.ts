import { z } from 'zod'
import type { AnyEndpoint } from './wire/endpoint.ts'

/** The path of the MCP server below the base URL. */
export const mcpPath = '/mcp'

/** Limits for agents: the maximum number of results per page, and the maximum number of suggestions per call. */
export const maxAgentPage = 100
export const maxAgentSuggestions = 100

const atMcp = {
  path: mcpPath,
  params: z.object({}),
  query: z.object({}),
  result: z.unknown(),
  addition: true,
  media: [],
} as const

/**
 * Receives one message of the Model Context Protocol. Not in the API documentation, because the protocol has its own
 * documentation.
 */
export const postMcp = {
  ...atMcp,
  id: 'agents.mcp',
  method: 'POST',
  access: 'key',
  bodyKind: 'json',
  body: z.looseObject({ jsonrpc: z.literal('2.0') }),
  status: 200,
  successes: [200, 202],
  errors: [400, 403, 406, 415],
  summary: 'Exchange a message with the MCP server',
} as const satisfies AnyEndpoint

const unsupported = { ...atMcp, access: 'none', bodyKind: 'none', body: z.undefined(), status: 200, successes: [200] } as const

/** The protocol's methods for streams and sessions. The server doesn't support these. */
export const unsupportedMcp = [
  { ...unsupported, id: 'agents.mcp_stream', method: 'GET', errors: [405], summary: 'Refuse a stream' },
  { ...unsupported, id: 'agents.mcp_end', method: 'DELETE', errors: [405], summary: 'Refuse to end a session' },
] as const satisfies readonly AnyEndpoint[]

/**
 * The changes that agents can make, keyed by tool. The audit log uses their `id` as the name of the action. The last parameter of
 * `path` is the target of the change.
 */
export const agentActions = {
  add_suggestions: { id: 'agents.add_suggestions', method: 'POST', path: '/datasets/:dataset_id' },
  add_comment: { id: 'agents.add_comment', method: 'POST', path: '/records/:record_id' },
  propose_final_answers: { id: 'agents.propose_final_answers', method: 'POST', path: '/records/:record_id' },
} as const satisfies { readonly [tool: string]: Pick<AnyEndpoint, 'id' | 'method' | 'path'> }
