import { openAsBlob } from 'node:fs'
import { message, type Reason } from '@postil/contract/wire/message.ts'
import { OutgoingFault } from '#platform/outgoing/guarded-fetch.ts'
import { type HubConfig, hubFetch } from '../client.ts'
import { isRepoId } from '../import/source.ts'
import { fileOf, type HubTarget, replaced } from '../layout.ts'

type Push = {
  readonly target: HubTarget
  readonly token: string
  /** Path of the table's file. */
  readonly table: string
  /**
   * Returns the files to push in addition to the table, keyed by their paths in the repository. They depend on which paths
   * already exist there.
   */
  readonly files: (paths: readonly string[], repository: string) => { readonly [path: string]: string }
}

type ApiError = { readonly statusCode: number; readonly data?: { readonly error?: unknown } }
const isApiError = (error: unknown): error is Error & ApiError =>
  error instanceof Error && typeof (error as Partial<ApiError>).statusCode === 'number'

/** The reason for a Hub rejection, in a sentence without secrets. */
const faultOf = (error: unknown, { name }: HubTarget, host: string, token: string): unknown => {
  if (!isApiError(error)) return error
  const { statusCode, data } = error
  const serverMessage =
    typeof data?.error === 'string' ? data.error.replace(/\s+/g, ' ').replaceAll(token, '…').slice(0, 300) : ''
  const words = serverMessage === '' ? '' : `: ${serverMessage}`
  const messages: { readonly [status: number]: Reason } = {
    401: `${host} rejected the token`,
    403: `The token has no write access to ${name}${words}`,
    404: `${host} does not have ${name}, or the token cannot read it`,
    429: message('hubBusy', { host }),
  }
  const isPassing = statusCode === 408 || statusCode === 429 || statusCode >= 500
  return new OutgoingFault(messages[statusCode] ?? `${host} answered ${statusCode} to the upload${words}`, isPassing)
}

/**
 * Placeholder token. The library accepts only tokens in the official Hub's format, so the real token is added to each request
 * to the configured Hub.
 */
const CHECKED = 'hf_'

type Sent = Exclude<NonNullable<Parameters<Awaited<ReturnType<typeof hubFetch>>>[1]>['body'], undefined>

/**
 * Commits a table and its metadata files to a Hub repository, in one commit. Creates the repository if it doesn't exist.
 * @throws OutgoingFault
 */
export const push = async (config: HubConfig, { target, token, table, files }: Push, signal?: AbortSignal): Promise<void> => {
  // Loaded on the first push
  const { commit, createRepo, listFiles, whoAmI } = await import('@huggingface/hub')
  const guarded = await hubFetch(config)
  const { origin, host } = new URL(config.hubUrl)
  const signedIn: typeof fetch = (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input)
    const headers = new Headers(init.headers)
    headers.delete('authorization')
    if (url.origin === origin) headers.set('authorization', `Bearer ${token}`)
    const stop = signal ?? init.signal
    const { method = 'GET', body } = init
    // The package and the runtime declare the body type separately, but with the same shape, so the cast is safe. It doesn't
    // matter which of several `Blob` types the compiler uses.
    const sent = { method, body: (body ?? null) as Sent, headers: [...headers] }
    return guarded(url, { ...sent, ...(stop && { signal: stop }) })
  }
  const common = { hubUrl: config.hubUrl, accessToken: CHECKED, fetch: signedIn }
  try {
    if (!isRepoId(target.name))
      throw new OutgoingFault(
        `${JSON.stringify(target.name.slice(0, 200))} is not a valid repository ID. Use the form owner/name`,
        false,
      )
    const name = target.name.includes('/') ? target.name : `${(await whoAmI(common)).name}/${target.name}`
    const repo = { type: 'dataset' as const, name }
    await createRepo({ ...common, repo, private: target.private }).catch((error: unknown) => {
      // 409 means that the repository exists
      if (!(isApiError(error) && error.statusCode === 409)) throw error
    })
    const paths: string[] = []
    for await (const { type, path } of listFiles({ ...common, repo, recursive: true })) if (type === 'file') paths.push(path)
    const described = Object.entries(files(paths, name)).map(([path, text]) => ({
      operation: 'addOrUpdate' as const,
      path,
      content: new Blob([text]),
    }))
    await commit({
      ...common,
      repo,
      title: `Push subset ${target.subset}, split ${target.split}`,
      operations: [
        { operation: 'addOrUpdate', path: fileOf(target), content: await openAsBlob(table) },
        ...replaced(paths, target).map((path) => ({ operation: 'delete' as const, path })),
        ...described,
      ],
      useXet: false,
      ...(signal && { abortSignal: signal }),
    })
  } catch (error) {
    throw faultOf(error, target, host, token)
  }
}
