import { message, type Reason } from '@postil/contract/wire/message.ts'
import type OpenAI from 'openai'
import type { Secrets } from '#platform/auth/secrets/secrets.ts'
import type { Config } from '#platform/config/read-config.ts'
import {
  BodyTooLarge,
  createGuardedFetch,
  type GuardedFetch,
  OutgoingFault,
  readBytes,
} from '#platform/outgoing/guarded-fetch.ts'
import type { ConnectionRow } from './connections/rows.ts'

/** Maximum size of a response in bytes. */
const MAX_RESPONSE = 4_000_000
/** The maximum number of retries after a status of 408, 409, 429 or 5xx, a timeout, or a failed connection. */
const MAX_RETRIES = 4
const MAX_WORDS = 300
/** The maximum time without data on a connection. Longer than the timeout of any request, which is enforced separately. */
const SILENCE_MS = 600_000
/** Turns off the library's own timeout, which would also count the time before a request is sent. */
const NEVER_MS = 2 ** 31 - 1
/** Statuses of gateways that gave up waiting for the model. The model may still have processed the request. */
const GAVE_UP: ReadonlySet<number> = new Set([408, 502, 504, 524])

export type ModelContext = {
  readonly config: Pick<Config, 'modelsAllowPrivate'>
  readonly secrets: Pick<Secrets, 'decrypt'>
}
export type ModelRequest = Pick<
  OpenAI.ChatCompletionCreateParamsNonStreaming,
  'messages' | 'response_format' | 'temperature' | 'max_tokens' | 'seed' | 'logprobs'
>
/** How many tokens a request has used. Null if the number is unknown. */
type UsedTokens = { readonly input: number | null; readonly output: number | null }
/** Counts the tokens of every attempt. Failed attempts count too, because the model may have worked on them. */
export type Meter = {
  /** Called before each attempt. If it rejects, the attempt isn't made and the request fails with the same error. */
  readonly begin: () => Promise<void>
  readonly end: (used: UsedTokens) => void
}
type ModelOptions = {
  /** How long an attempt may take. */
  readonly timeoutMs: number
  readonly retries?: number
  readonly signal?: AbortSignal | undefined
  readonly meter?: Meter
}
export type TokenProbability = { readonly token: string; readonly logprob: number }
export type ModelReply = {
  /** Null if the model refused to answer. */
  readonly text: string | null
  /** Why the model refused, if it says so. */
  readonly refusal: string | null
  /** Whether the text was cut off at the maximum number of tokens. */
  readonly isCut: boolean
  readonly logprobs: readonly TokenProbability[] | null
  readonly used: UsedTokens
}

/** A request without a usable response. */
export class ModelFault extends Error {
  override readonly name = 'ModelFault'
  readonly reason: Reason
  /** Whether other requests would fail for the same reason. */
  readonly isGeneral: boolean
  constructor(reason: Reason, isGeneral: boolean) {
    super('a model gave no response')
    this.reason = reason
    this.isGeneral = isGeneral
  }
}

const fetches = new WeakMap<ModelContext['config'], Promise<GuardedFetch>>()

const guardedFetchOf = (config: ModelContext['config']): Promise<GuardedFetch> => {
  const made =
    fetches.get(config) ??
    createGuardedFetch({
      trusted: [],
      allowPrivate: config.modelsAllowPrivate,
      followRedirects: false,
      timeoutMs: SILENCE_MS,
    }).then(({ fetch }) => fetch)
  fetches.set(config, made)
  return made
}

/** Shortens text to one line of at most a few hundred characters. Replaces the key if the text contains it. */
const wordsOf = (text: string, key: string | null): string => {
  const shown = key === null ? text : text.replaceAll(key, '…')
  const line = shown.replace(/\s+/g, ' ').trim()
  return Array.from(line).slice(0, MAX_WORDS).join('')
}

const faultOf = (
  library: typeof OpenAI,
  error: unknown,
  { host, key, timeoutMs }: { readonly host: string; readonly key: string | null; readonly timeoutMs: number },
): ModelFault => {
  if (error instanceof library.APIConnectionTimeoutError)
    return new ModelFault(message('modelTimeout', { host, seconds: timeoutMs / 1000 }), false)
  if (error instanceof library.APIConnectionError) {
    const { cause } = error
    return new ModelFault(cause instanceof OutgoingFault ? cause.reason : message('modelUnreachable', { host }), true)
  }
  if (error instanceof library.APIError && error.status !== undefined) {
    const status: number = error.status
    const words = wordsOf(error.message, key)
    return new ModelFault(message('modelAnswered', { host, status, words }), [401, 402, 403, 404].includes(status))
  }
  // The body violates the protocol. For example, it is half a JSON document.
  return new ModelFault(message('modelGarbled', { host }), false)
}

const unknown: UsedTokens = { input: null, output: null }
const nothing: UsedTokens = { input: 0, output: 0 }

/** Returns a reported token count; null if the endpoint doesn't report it. */
const countOf = (tokens: unknown): number | null =>
  typeof tokens === 'number' && Number.isSafeInteger(tokens) && tokens >= 0 ? tokens : null

const replyOf = (completion: OpenAI.ChatCompletion): ModelReply | null => {
  const choice = completion.choices?.[0]
  if (choice?.message === undefined) return null
  const { content = null, refusal = null } = choice.message
  return {
    text: typeof content === 'string' && content !== '' ? content : null,
    refusal: typeof refusal === 'string' && refusal !== '' ? refusal : null,
    isCut: choice.finish_reason === 'length',
    logprobs: choice.logprobs?.content?.map(({ token, logprob }) => ({ token, logprob })) ?? null,
    used: { input: countOf(completion.usage?.prompt_tokens), output: countOf(completion.usage?.completion_tokens) },
  }
}

/** Rejects as soon as the signal is aborted, even while the library waits before its next attempt. */
const untilAborted = <T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> => {
  if (signal === undefined) return work
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}

/**
 * Asks a model for one reply. Attempts that fail temporarily are repeated. The address is checked in the same way as the address
 * of a webhook. Every address of the host must be public unless the operator allows private ones. Connections are made only to
 * these addresses, and redirects are not followed.
 * @throws ModelFault, or the signal's reason
 */
export const askModel = async (
  { config, secrets }: ModelContext,
  connection: Pick<ConnectionRow, 'base_url' | 'model' | 'key_sealed'>,
  request: ModelRequest,
  { timeoutMs, retries = MAX_RETRIES, signal, meter }: ModelOptions,
): Promise<ModelReply> => {
  // The library is loaded with the first request, so that a server without models never loads it.
  const { default: library } = await import('openai')
  const { base_url, model, key_sealed } = connection
  const { host } = new URL(base_url)
  const key = key_sealed === null ? null : secrets.decrypt(key_sealed)
  if (key_sealed !== null && key === null) throw new ModelFault(message('modelKeyUnreadable'), true)
  const send = await guardedFetchOf(config)
  const stop = new AbortController()
  /** The error that prevents further attempts. */
  const halted: { error?: unknown } = {}
  const halt = (error: unknown): void => {
    halted.error = error
    stop.abort()
  }
  let isOpen = false
  const begin = async (): Promise<void> => {
    try {
      await meter?.begin()
    } catch (error) {
      halt(error)
      throw error
    }
    isOpen = true
  }
  const end = (used: UsedTokens): void => {
    if (isOpen) meter?.end(used)
    isOpen = false
  }
  // The library adds headers that describe the machine and headers from environment variables. Only the headers below are sent.
  const headers = {
    accept: 'application/json',
    'content-type': 'application/json',
    ...(key !== null && { authorization: `Bearer ${key}` }),
  }
  const fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const url = new URL(input instanceof Request ? input.url : input)
    await begin()
    const timeout = AbortSignal.timeout(timeoutMs)
    const ended = init?.signal ? AbortSignal.any([timeout, init.signal]) : timeout
    try {
      const response = await send(url, { method: init?.method ?? 'GET', body: init?.body as string, headers, signal: ended })
      if (!response.ok && !GAVE_UP.has(response.status)) end(nothing)
      const body = await readBytes(response, url, MAX_RESPONSE)
      // The metering of a successful attempt ends when the token count has been read from the body. A failed attempt ends here.
      if (!response.ok) end(unknown)
      return new Response(body as Uint8Array<ArrayBuffer>, { status: response.status, headers: response.headers })
    } catch (error) {
      // If the attempt timed out, throws the timeout itself. Otherwise, the library would treat a timeout during the reading of
      // the body as a failed connection.
      const isUnsent = error instanceof OutgoingFault && error.isUnsent
      end(isUnsent ? nothing : unknown)
      ended.throwIfAborted()
      // Ends the request after a permanent error. Otherwise, the library would retry it.
      if (error instanceof OutgoingFault && !error.isPassing) halt(error)
      throw error
    }
  }
  const client = new library({
    baseURL: base_url,
    apiKey: key ?? 'none',
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    fetch,
    maxRetries: retries,
    timeout: NEVER_MS,
    logLevel: 'off',
  })
  const signals = signal === undefined ? stop.signal : AbortSignal.any([stop.signal, signal])
  try {
    const asked = client.chat.completions.create({ ...request, model, stream: false }, { signal: signals })
    const reply = replyOf(await untilAborted(asked, signal))
    end(reply?.used ?? unknown)
    if (reply === null) throw new ModelFault(message('modelGarbled', { host }), false)
    return reply
  } catch (error) {
    signal?.throwIfAborted()
    if (error instanceof ModelFault) throw error
    const { error: reason } = halted
    if (reason instanceof BodyTooLarge)
      throw new ModelFault(message('modelTooLong', { host, limit: MAX_RESPONSE / 1_000_000 }), false)
    if (reason instanceof OutgoingFault) throw new ModelFault(reason.reason, true)
    if (reason !== undefined) throw reason
    throw faultOf(library, error, { host, key, timeoutMs })
  } finally {
    end(unknown)
  }
}
