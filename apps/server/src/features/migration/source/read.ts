import { type CopiedPart, maxCopiedRows } from '@postil/contract/copied-rows.ts'
import { QueueSettings } from '@postil/contract/queue.ts'
import { SearchSettings } from '@postil/contract/search-settings.ts'
import { SuggestionSettings } from '@postil/contract/suggestion-settings.ts'
import { z } from 'zod'
import { MigrationError } from '../migration-error.ts'
import { shownAddress } from './address.ts'
import type { SourceClient } from './client.ts'
import { type CopiedRow, copiedShapes } from './copied-shapes.ts'
import { firstFault } from './fault.ts'
import * as shapes from './shapes.ts'

/** @throws MigrationError that names the route and the first problem in its response */
const read = async <T>(client: SourceClient, path: string, schema: z.ZodType<T>): Promise<T> => {
  const { body } = await client.get(path)
  return understood(client, path, schema, body)
}

const understood = <T>(client: SourceClient, path: string, schema: z.ZodType<T>, body: unknown): T => {
  const result = schema.safeParse(body)
  if (result.success) return result.data
  throw new MigrationError(
    `${shownAddress(client.url)} answered GET ${path} in an unexpected format: ${firstFault(result.error, 'the answer')}.`,
  )
}

/** Like `read`, for a route that only some servers have. @returns null if the server doesn't have it */
const readIfThere = async <T>(client: SourceClient, path: string, schema: z.ZodType<T>): Promise<T | null> => {
  const missing = [404, 405]
  const { status, body } = await client.get(path, { acceptedStatuses: missing })
  return missing.includes(status) ? null : understood(client, path, schema, body)
}

/**
 * Checks that the URL belongs to a server that uses the same wire protocol, and that the key belongs to an owner.
 * @returns the version that the server reports
 * @throws MigrationError
 */
export const greet = async (client: SourceClient): Promise<string> => {
  const address = shownAddress(client.url)
  const { status, body } = await client.get('/version', { acceptedStatuses: [401, 403, 404, 405], first: true })
  const version = shapes.Version.safeParse(body)
  if (status !== 200 || !version.success) {
    throw new MigrationError(`${address} is not a compatible server: ${address}/api/v1/version does not report a version.`)
  }
  const me = await read(client, '/me', shapes.Me)
  if (me.role !== 'owner') {
    throw new MigrationError(
      `The API key belongs to '${me.username}', who has the role ${me.role} on ${address}. Use the API key of an owner: only owners can read all users, workspaces and answers.`,
    )
  }
  return version.data.version
}

export const readUsers = (client: SourceClient): Promise<readonly shapes.SourceUser[]> => read(client, '/users', shapes.Users)

export const readWorkspaces = (client: SourceClient): Promise<readonly shapes.SourceWorkspace[]> =>
  read(client, '/me/workspaces', shapes.Workspaces)

/** Returns the IDs of a workspace's members, in the order in which they joined. */
export const readMembers = async (client: SourceClient, workspaceId: string): Promise<readonly string[]> =>
  (await read(client, `/workspaces/${workspaceId}/users`, shapes.Members)).map(({ id }) => id)

export const readDatasets = (client: SourceClient): Promise<readonly shapes.SourceDataset[]> =>
  read(client, '/me/datasets', shapes.Datasets)

export type RawSchema = {
  readonly fields: z.output<typeof shapes.Fields>
  readonly questions: z.output<typeof shapes.Questions>
  readonly metadata_properties: z.output<typeof shapes.Properties>
  readonly vector_settings: z.output<typeof shapes.VectorsSettings>
  readonly label_colours: z.output<typeof shapes.LabelColours>
}

/** Returns the parts of a dataset's schema. Their settings aren't checked yet. */
export const readSchema = async (client: SourceClient, datasetId: string): Promise<RawSchema> => ({
  fields: await read(client, `/datasets/${datasetId}/fields`, shapes.Fields),
  questions: await read(client, `/datasets/${datasetId}/questions`, shapes.Questions),
  metadata_properties: await read(client, `/me/datasets/${datasetId}/metadata-properties`, shapes.Properties),
  vector_settings: await read(client, `/datasets/${datasetId}/vectors-settings`, shapes.VectorsSettings),
  label_colours: (await readIfThere(client, `/datasets/${datasetId}/label-colours`, shapes.LabelColours)) ?? [],
})

/** Returns a dataset's queue settings; empty settings if the server doesn't support queue settings. */
export const readQueueSettings = async (client: SourceClient, datasetId: string): Promise<QueueSettings> =>
  (await readIfThere(client, `/datasets/${datasetId}/queue-settings`, QueueSettings)) ?? {}

/** Returns a dataset's search settings; null if the server doesn't support search settings. */
export const readSearchSettings = (client: SourceClient, datasetId: string): Promise<SearchSettings | null> =>
  readIfThere(client, `/datasets/${datasetId}/search-settings`, SearchSettings)

/** Returns a dataset's suggestion settings; null if the server doesn't support suggestion settings. */
export const readSuggestionSettings = (client: SourceClient, datasetId: string): Promise<SuggestionSettings | null> =>
  readIfThere(client, `/datasets/${datasetId}/suggestion-settings`, SuggestionSettings)

/**
 * Returns the shared views of a dataset, and all views of the user to whom the API key belongs. Null if the server doesn't
 * support views.
 */
export const readViews = (client: SourceClient, datasetId: string): Promise<readonly shapes.SourceView[] | null> =>
  readIfThere(client, `/datasets/${datasetId}/views`, shapes.Views)

type SourceAnswers = {
  readonly submitted: number
  readonly draft: number
  readonly discarded: number
  /** The authors of the answers. */
  readonly usernames: readonly string[]
}

/** Returns how many answers the server reports for a dataset, and the usernames of their authors. */
export const readAnswers = async (client: SourceClient, datasetId: string): Promise<SourceAnswers> => {
  const { users } = await read(client, `/datasets/${datasetId}/users/progress`, shapes.Progress)
  const sum = (status: 'submitted' | 'draft' | 'discarded') =>
    users.reduce((n, { completed, pending }) => n + completed[status] + pending[status], 0)
  return {
    submitted: sum('submitted'),
    draft: sum('draft'),
    discarded: sum('discarded'),
    usernames: users.map(({ username }) => username),
  }
}

/** Returns the usernames of everyone who has ever answered, in the order of their first answers. */
export const readAuthors = async (client: SourceClient, datasetId: string): Promise<readonly string[]> => {
  const { users } = await read(client, `/datasets/${datasetId}/progress`, shapes.Authors)
  return (users ?? []).map(({ username }) => username)
}

/** Returns how many records the server reports for a dataset. */
export const readTotal = async (client: SourceClient, datasetId: string): Promise<number> =>
  (await read(client, `/datasets/${datasetId}/records?offset=0&limit=1`, shapes.Page)).total

const FIRST_PAGE = 10
const MAX_RECORDS = 500
/** Target size of a page in bytes. Records may contain images of several megabytes. */
const BYTES_OF_PAGE = 8_000_000

const nextLimit = (limit: number, items: number, bytes: number, most = MAX_RECORDS): number => {
  const each = Math.max(1, bytes / Math.max(1, items))
  return Math.max(1, Math.min(most, limit * 4, Math.floor(BYTES_OF_PAGE / each)))
}

type SourcePage = { readonly items: readonly shapes.SourceRecord[]; readonly total: number }

/**
 * Yields all records of a dataset in insertion order, each with its answers, suggestions and vectors. Prefetches the next page.
 */
export async function* readRecords(client: SourceClient, datasetId: string): AsyncGenerator<SourcePage> {
  const load = async (offset: number, limit: number) => {
    const path = `/datasets/${datasetId}/records?offset=${offset}&limit=${limit}&include=responses&include=suggestions&include=vectors`
    const { body, bytes } = await client.get(path)
    return { ...understood(client, path, shapes.Page, body), bytes, limit }
  }
  let offset = 0
  let pending = load(offset, FIRST_PAGE)
  for (;;) {
    const { items, total, bytes, limit } = await pending
    if (items.length === 0) return
    offset += items.length
    pending = load(offset, nextLimit(limit, items.length, bytes))
    // If the consumer stops early, nobody awaits this page. Its error must not be reported as an unhandled rejection.
    pending.catch(() => undefined)
    yield { items, total }
  }
}

const copiedPath = (datasetId: string, part: CopiedPart): string => `/datasets/${datasetId}/copied-rows?part=${part}`

/** Whether the server can list rows of a dataset as they are stored. Only Postil servers can. */
export const listsCopiedRows = async (client: SourceClient, datasetId: string): Promise<boolean> =>
  (await readIfThere(client, copiedPath(datasetId, 'review'), z.object({}))) !== null

/** Yields the rows of a part of a dataset, page by page. */
export async function* readCopiedRows<P extends CopiedPart>(
  client: SourceClient,
  datasetId: string,
  part: P,
): AsyncGenerator<readonly CopiedRow[P][]> {
  const schema = z.object({ items: z.array(copiedShapes[part]), next: z.string().nullable() })
  let limit = FIRST_PAGE
  let after: string | null = null
  do {
    const from: string = after === null ? '' : `&after=${encodeURIComponent(after)}`
    const path = `${copiedPath(datasetId, part)}&limit=${limit}${from}`
    const { body, bytes } = await client.get(path)
    const { items, next } = understood(client, path, schema, body)
    limit = nextLimit(limit, items.length, bytes, maxCopiedRows)
    after = next
    yield items as CopiedRow[P][]
  } while (after !== null)
}
