import { createCall, type Send, type SendOptions } from '@postil/client/call.ts'
import { createTransport } from '@postil/client/transport.ts'
import { ApiError } from './api-error.ts'
import { href } from './base.ts'
import { csrfHeader, fetchOrReuse } from './early-responses.ts'
import { fetchWithTimeout } from './fetch-with-timeout.ts'

// biome-ignore lint/performance/noBarrelFile: the page imports everything for API calls from this module
export { pathOf } from '@postil/client/call.ts'
export { csrfHeader } from './early-responses.ts'

export type PageOptions = SendOptions & {
  /** Whether a 401 means that the session has ended. False on the sign-in form, for example. */
  readonly endsSession?: boolean
  /** Whether only the server may respond, so that data stored for offline use isn't used. */
  readonly serverOnly?: boolean
  /** Whether the request has a timeout, as most reads do. False if the server calls other servers before it responds. */
  readonly hasTimeout?: boolean
}

const deviceResponses = new WeakSet<object>()

/** Whether a response comes from this device instead of the server. */
export const isFromDevice = (response: object): boolean => deviceResponses.has(response)

export type SessionEnd = {
  readonly refusal: ApiError
  /** Whether the user is known to have unsent answers. */
  readonly hasUnsent: boolean
}
let onSessionEnd: (end: SessionEnd) => void = () => {}

/**
 * Sets the listener for the end of the session. It is called whenever the server rejects a call because the session has ended.
 */
export const setSessionEndHandler = (listener: typeof onSessionEnd): void => {
  onSessionEnd = listener
}

/** Reports that the server no longer knows the session. */
export const endSession = ({ hasUnsent = false } = {}): void => onSessionEnd({ refusal: new ApiError(401, undefined), hasUnsent })

let loadTranslations: () => Promise<void> = async () => {}
/** Milliseconds to wait for translations. After that, the server's English sentence is shown. */
const TRANSLATIONS_MS = 3000

/** Sets the function that loads the translations of the server's messages. It may be called more than once. */
export const setTranslationLoader = (load: typeof loadTranslations): void => {
  loadTranslations = load
}

/** Loads the translations, so that the error can be shown in the user's language. */
const prepareTranslation = async ({ coded }: ApiError): Promise<void> => {
  if (coded === null) return
  const late = new Promise<void>((resolve) => setTimeout(resolve, TRANSLATIONS_MS))
  await Promise.race([loadTranslations().catch(() => undefined), late])
}

const createSender = (send: typeof fetchOrReuse) =>
  createTransport({
    href,
    headers: (method) => (method === 'GET' ? {} : csrfHeader),
    credentials: 'same-origin',
    fetch: send,
  })
const sendWithTimeout = createSender(fetchWithTimeout)
const sendWithoutTimeout = createSender(fetchOrReuse)

/**
 * Sends one request with the browser's session. The types of the request and the response aren't checked, so only code that
 * stores the responses of arbitrary endpoints uses this function directly.
 * @throws the same errors as `call`
 */
export const send: Send<PageOptions> = async (
  method,
  address,
  { endsSession = true, serverOnly = false, hasTimeout = method === 'GET', ...options } = {},
) => {
  try {
    return await (hasTimeout ? sendWithTimeout : sendWithoutTimeout)(method, address, options)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    await prepareTranslation(error)
    if (error.isOutside && endsSession) onSessionEnd({ refusal: error, hasUnsent: false })
    if (error.status === 0 && (method === 'GET' || method === 'POST') && !serverOnly) {
      const { query, body } = options
      const deviceResponse = await import('#lib/offline/offline-responses.ts').then(
        ({ offlineResponse }) => offlineResponse({ method, address, query, body }),
        () => undefined,
      )
      if (typeof deviceResponse === 'object' && deviceResponse !== null) deviceResponses.add(deviceResponse)
      // The device's response has the format of the server's response for this address.
      if (deviceResponse !== undefined) return deviceResponse
    }
    throw error
  }
}

const sendUntilContent = createSender(async (url, request) => {
  const response = await fetch(url, request)
  if (!response.ok) return response
  await response.body?.cancel()
  return new Response(null)
})

/**
 * Checks whether the browser can download a file. Requests the file, and cancels the response as soon as it begins.
 * @throws ApiError if the server refuses the file
 */
export const checkDownload = async (address: string): Promise<void> => {
  try {
    await sendUntilContent('GET', address)
  } catch (error) {
    if (error instanceof ApiError) await prepareTranslation(error)
    throw error
  }
}

/**
 * Calls one endpoint of the contract once, with the browser's session.
 * @throws ApiError with the status, or with status 0 if the server can't be reached; AbortError when aborted
 */
export const call = createCall(send)
