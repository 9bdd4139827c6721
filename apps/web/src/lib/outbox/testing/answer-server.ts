import { randomUUID } from 'node:crypto'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ServerAnswer } from '../types.ts'

/** What happens to the next request: it is lost, its response is lost, or it fails with a status. */
export type InjectedFault =
  | 'hang up before'
  | 'hang up after'
  | { readonly status: number; readonly body?: unknown; readonly retryAfter?: number }

type Stored = ServerAnswer & { readonly last_mutation_id: string }

export type AnswerServer = Awaited<ReturnType<typeof startAnswerServer>>

const readJson = async (request: IncomingMessage): Promise<{ [key: string]: unknown }> => {
  let text = ''
  for await (const chunk of request) text += chunk
  return text === '' ? {} : JSON.parse(text)
}

/**
 * Starts a server for tests of the outbox. It has the routes that the outbox uses, follows the API's rules, and can fail on
 * request. `user` is the user of the browser's session.
 */
export const startAnswerServer = async (port = 0) => {
  const answers = new Map<string, Stored>()
  const faults: InjectedFault[] = []
  const removed = new Set<string>()
  let user: string | null = 'ada'
  let writes = 0

  const put = (recordId: string, body: { [key: string]: unknown }): { status: number; body: unknown } => {
    const stored = answers.get(recordId)
    if (stored && stored.last_mutation_id === body['mutation_id']) return { status: 200, body: stored }
    if ((stored?.version ?? null) !== body['base_version'])
      return { status: 409, body: { detail: 'changed', response: stored ?? null } }
    writes += 1
    const next = {
      id: stored?.id ?? randomUUID(),
      record_id: recordId,
      user_id: user,
      status: body['status'],
      values: body['values'],
      version: (stored?.version ?? 0) + 1,
      suggestion_outcomes: null,
      returned: null,
      last_mutation_id: body['mutation_id'],
    } as Stored
    answers.set(recordId, next)
    return { status: stored ? 200 : 201, body: next }
  }

  const remove = (recordId: string, query: URLSearchParams): { status: number; body: unknown } => {
    const stored = answers.get(recordId)
    const mutation = query.get('mutation_id') ?? ''
    if (removed.has(mutation)) return { status: 200, body: { response: null } }
    if (String(stored?.version ?? null) !== (query.get('base_version') ?? 'null'))
      return { status: 409, body: { detail: 'changed', response: stored ?? null } }
    writes += 1
    answers.delete(recordId)
    removed.add(mutation)
    return { status: 200, body: { response: stored } }
  }

  const handle = (method: string, url: URL, body: { [key: string]: unknown }): { status: number; body: unknown } => {
    if (user === null) return { status: 401, body: { detail: 'no session' } }
    if (url.pathname === '/api/v1/me') return { status: 200, body: { id: user } }
    const record = /^\/api\/v1\/records\/([^/]+)\/responses\/mine$/.exec(url.pathname)?.[1]
    const author = body['user_id'] ?? url.searchParams.get('user_id')
    if (record && author !== user) return { status: 401, body: { detail: 'of another user' } }
    if (method === 'PUT' && record) return put(record, body)
    if (method === 'DELETE' && record) return remove(record, url.searchParams)
    return { status: 404, body: { detail: 'Not Found' } }
  }

  const respond = (response: ServerResponse, status: number, body: unknown, retryAfter?: number): void => {
    response.writeHead(status, {
      'content-type': 'application/json',
      ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
    })
    response.end(JSON.stringify(body ?? {}))
  }

  const server: Server = createServer(async (request, response) => {
    const body = await readJson(request)
    const url = request.url ?? ''
    const fault = url === '/api/v1/me' ? undefined : faults.shift()
    if (fault === 'hang up before') return request.socket.destroy()
    if (typeof fault === 'object') return respond(response, fault.status, fault.body, fault.retryAfter)
    const result = handle(request.method ?? '', new URL(url, 'http://x'), body)
    if (fault === 'hang up after') return request.socket.destroy()
    respond(response, result.status, result.body)
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))

  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    port: (server.address() as AddressInfo).port,
    answers,
    faults,
    /** Number of writes that changed something. Duplicates don't count. */
    writes: () => writes,
    signIn: (name: string | null): void => {
      user = name
    },
    close: (): Promise<void> =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
