import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type Schema = {
  readonly type?: string
  readonly enum?: readonly (string | number)[]
  readonly items?: Schema
  readonly properties?: { readonly [name: string]: Schema }
}
type ChatRequest = {
  readonly model: string
  readonly messages: readonly { readonly role: string; readonly content: string }[]
  readonly response_format?: { readonly json_schema: { readonly schema: Schema } }
  readonly logprobs?: boolean
}
export type AskedModel = {
  readonly headers: IncomingHttpHeaders
  readonly body: ChatRequest
  /** The part of the prompt that describes the record. */
  readonly record: string
  /** Resolves when the client has closed the connection before it got an answer. */
  readonly dropped: Promise<void>
}

export type StandInModel = {
  /** The base URL of a connection. */
  readonly url: string
  /** All requests in order of arrival. */
  readonly asked: AskedModel[]
  /** Sets the JSON with which the model answers all questions from now on. With null, the record's text determines the answer. */
  readonly reply: (answer: ((asked: AskedModel) => unknown) | null) => void
  readonly close: () => Promise<void>
}

const LATE_MS = 50
const tokensIn = (text: string): number => Math.ceil(text.length / 4)

/** The fields that contain `[[best]]`. */
const bestFields = (record: string): readonly string[] =>
  [...record.matchAll(/"(\w+)":"[^"]*\[\[best\]\]/g)].map(([, name = '']) => name)

/**
 * Returns the options that occur in the record's text, in the order in which they are given. If any field contains `[[best]]`,
 * returns the options that are names of such fields instead.
 */
const chosen = (options: readonly (string | number)[], record: string) => {
  const best = bestFields(record)
  return options.filter((option) => (best.length > 0 ? best.includes(String(option)) : record.includes(String(option))))
}

/** The answer of a model that picks the option whose name occurs in the record's text, or else the first option. */
const answerTo = (schema: Schema, record: string, isWrong: boolean): unknown => {
  if (schema.enum !== undefined) {
    const found = chosen(schema.enum, record)
    const other = schema.enum.find((option) => !found.includes(option)) ?? schema.enum[0]
    return isWrong ? other : (found[0] ?? schema.enum[0])
  }
  if (schema.type === 'array' && schema.items?.properties !== undefined) {
    const label = schema.items.properties['label'] ?? {}
    const quotes = [...record.matchAll(/«([^»]+)»/g)].map(([, quote = '']) => quote)
    return quotes.map((quote) => ({ quote, label: answerTo(label, record, isWrong), occurrence: 1 }))
  }
  if (schema.type === 'array') {
    const options = schema.items?.enum ?? []
    const found = chosen(options, record)
    // A ranking needs all options. A list of labels needs at least one.
    const rest = options.filter((option) => !found.includes(option))
    return record.includes('[[all]]') ? [...found, ...rest] : found.length === 0 ? options.slice(0, 1) : found
  }
  if (schema.properties !== undefined) {
    return Object.fromEntries(Object.entries(schema.properties).map(([name, one]) => [name, answerTo(one, record, isWrong)]))
  }
  return isWrong ? 'a wrong text' : 'a text'
}

const send = (response: ServerResponse, status: number, body: unknown, headers: { readonly [name: string]: string } = {}) =>
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
const refuse = (response: ServerResponse, status: number, words: string, headers = {}) =>
  send(response, status, { error: { message: words, type: 'stand_in' } }, headers)

const complete = (
  response: ServerResponse,
  { body }: AskedModel,
  content: string | null,
  { hasUsage = true, ...more }: { readonly hasUsage?: boolean; readonly refusal?: string } = {},
): void => {
  const tokens = content?.match(/[\s\S]{1,4}/g) ?? []
  const logprobs = body.logprobs
    ? { content: tokens.map((token) => ({ token, logprob: -0.01, bytes: null, top_logprobs: [] })) }
    : null
  send(response, 200, {
    id: 'stand-in',
    object: 'chat.completion',
    created: 0,
    model: body.model,
    choices: [{ index: 0, finish_reason: 'stop', logprobs, message: { role: 'assistant', content, refusal: null, ...more } }],
    ...(hasUsage && {
      usage: {
        prompt_tokens: tokensIn(body.messages.map((one) => one.content).join('')),
        completion_tokens: tokensIn(content ?? ''),
        total_tokens: 0,
      },
    }),
  })
}

/**
 * How the model behaves if the record's text contains the name of a behavior in double brackets. With `once` after the name, only
 * the first request about this record is handled this way. `garbled` responds with half a JSON document. `half` responds with a
 * valid completion whose text is half a JSON document. `hang` never responds. `stall` never ends its response. `uncounted` leaves
 * out the number of tokens. `huge` responds with more than five million characters.
 */
const behaviors: { readonly [name: string]: (response: ServerResponse, asked: AskedModel, answer: string) => void } = {
  late: (response, asked, answer) => void setTimeout(() => complete(response, asked, answer), LATE_MS),
  busy: (response) => refuse(response, 429, 'slow down', { 'retry-after': '0.05' }),
  broken: (response) => refuse(response, 500, 'out of order', { 'retry-after-ms': '20' }),
  denied: (response, asked) => refuse(response, 401, `wrong key: ${asked.headers.authorization}`),
  garbled: (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"id":"stand-in","choi'),
  half: (response, asked, answer) => complete(response, asked, answer.slice(0, answer.length / 2)),
  prose: (response, asked) => complete(response, asked, 'I think it is fine.'),
  invalid: (response, asked) => complete(response, asked, JSON.stringify({ nothing: 'that was asked for' })),
  refuse: (response, asked) => complete(response, asked, null, { refusal: 'I cannot help with that' }),
  uncounted: (response, asked, answer) => complete(response, asked, answer, { hasUsage: false }),
  huge: (response, asked) => complete(response, asked, 'x'.repeat(5_100_000)),
  hang: () => undefined,
  stall: (response) => response.writeHead(200, { 'content-type': 'application/json' }).write('{"id":"stand-in","choi'),
  elsewhere: (response) => response.writeHead(307, { location: 'http://127.0.0.1:9/v1/chat/completions' }).end(),
}

const answerFor = ({ body, record }: AskedModel): string => {
  const schema = body.response_format?.json_schema.schema
  return schema === undefined ? 'OK' : JSON.stringify(answerTo(schema, record, record.includes('[[wrong]]')))
}

/**
 * A server that speaks the OpenAI protocol on a free port of the loopback interface. It answers with the options that the
 * record's text names. The text also determines how it behaves (see `behaviors`).
 * @param options `key`: the key that requests need. `isUnreferenced`: whether the process can end before the server is closed
 */
export const startStandInModel = async ({
  key,
  isUnreferenced = false,
}: {
  readonly key?: string
  readonly isUnreferenced?: boolean
} = {}): Promise<StandInModel> => {
  const asked: AskedModel[] = []
  const once = new Set<string>()
  let answerOf = answerFor
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      if (request.method !== 'POST' || request.url !== '/v1/chat/completions') return refuse(response, 404, 'no such path')
      if (key !== undefined && request.headers.authorization !== `Bearer ${key}`)
        return refuse(response, 401, `wrong key: ${request.headers.authorization}`)
      const body = JSON.parse(Buffer.concat(chunks).toString()) as ChatRequest
      // A retried request contains more messages. Its first user message still contains the same record.
      const prompt = body.messages.find(({ role }) => role === 'user')?.content ?? ''
      const record = prompt.slice(prompt.lastIndexOf('Record:'))
      const dropped = new Promise<void>((resolve) => {
        response.once('close', () => {
          if (!response.writableEnded) resolve()
        })
      })
      const one = { headers: request.headers, body, record, dropped }
      asked.push(one)
      const answer = answerOf(one)
      const [order, name = '', isOnce] = /\[\[(\w+)( once)?\]\]/.exec(record) ?? []
      const behave = behaviors[name]
      if (order === undefined || behave === undefined) return complete(response, one, answer)
      if (isOnce !== undefined && once.has(record)) return complete(response, one, answer)
      once.add(record)
      return behave(response, one, answer)
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  if (isUnreferenced) server.unref()
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked,
    reply: (answer) => {
      answerOf = answer === null ? answerFor : (one) => JSON.stringify(answer(one))
    },
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}
