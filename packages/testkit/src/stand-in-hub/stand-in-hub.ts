import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { datasetsServer } from './datasets-server.ts'
import { hubRoutes } from './hub-routes.ts'
import { newRepository, type Repository } from './repositories.ts'
import type { Answer, Call, RecordedRequest, StandInSplit, State } from './state.ts'

/**
 * Overrides the Hub's behavior. Returns true if it handles the request. Handling a request can also mean never responding to it.
 */
export type RequestInterceptor = (requests: RecordedRequest, response: ServerResponse) => boolean

export type StandInHub = {
  /** The URL of the Hub and its datasets server, without a trailing slash. */
  readonly url: string
  readonly requests: readonly RecordedRequest[]
  readonly repositories: ReadonlyMap<string, Repository>
  /** Creates a dataset as its owner would. */
  readonly put: (name: string, splits: readonly StandInSplit[], how?: { readonly isPrivate?: boolean }) => Repository
  /** Allows a token to write to namespaces. */
  readonly allow: (token: string, namespaces: readonly string[]) => void
  readonly intercept: (how: RequestInterceptor | null) => void
  readonly close: () => Promise<void>
}

const bodyOf = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

/**
 * A Hub for tests on a free port of the loopback interface. It implements the API that Hub clients use, and stores what they
 * send.
 */
export const startStandInHub = async (): Promise<StandInHub> => {
  const requests: RecordedRequest[] = []
  let intercept: RequestInterceptor | null = null
  const state: { -readonly [K in keyof State]: State[K] } = {
    address: '',
    repositories: new Map(),
    splits: new Map(),
    large: new Map(),
    writers: new Map(),
  }
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await bodyOf(request)
    const url = new URL(request.url ?? '/', state.address)
    const { method = 'GET', headers } = request
    const one: RecordedRequest = { method, url, headers, body }
    requests.push(one)
    if (intercept?.(one, response) === true) return
    const answer: Answer = (status, sent, more = {}) => {
      const bytes = Buffer.isBuffer(sent) ? sent : Buffer.from(JSON.stringify(sent))
      response.writeHead(status, { 'content-type': 'application/json', 'content-length': bytes.length, ...more })
      response.end(method === 'HEAD' ? undefined : bytes)
    }
    const token = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? null
    const call: Call = { ...one, state, answer, token }
    if (!(datasetsServer(call) || hubRoutes(call))) answer(404, { error: 'Not found' })
  }
  const server = createServer((request, response) => void handle(request, response))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  state.address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: state.address,
    requests,
    repositories: state.repositories,
    put: (name, splits, { isPrivate = false } = {}) => {
      const repository = newRepository(name)
      repository.isPrivate = isPrivate
      for (const { subset, split, files } of splits) {
        files.forEach((bytes, i) => {
          repository.files.set(`${subset}/${split}/${String(i).padStart(4, '0')}.parquet`, Buffer.from(bytes))
        })
      }
      state.repositories.set(name, repository)
      state.splits.set(name, [...splits])
      return repository
    },
    allow: (token, namespaces) => void state.writers.set(token, namespaces),
    intercept: (how) => {
      intercept = how
    },
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}
