import type { RunningServer } from '../../harness/server.ts'

type Json = { readonly [key: string]: unknown }

/** What answers, one process or several behind one address. */
export type Asked = Pick<RunningServer, 'url' | 'apiKey'>

/** Calls the API as the owner. @throws with the answer when it is a refusal */
export const asOwner = async <T = { readonly id: string }>(
  { url, apiKey }: Asked,
  method: string,
  path: string,
  body?: Json,
): Promise<T> => {
  const response = await fetch(`${url}/api/v1${path}`, {
    method,
    headers: { 'x-argilla-api-key': apiKey, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  return (text === '' ? undefined : JSON.parse(text)) as T
}

export const PASSWORD = 'a password of theirs'

/** A user with a password, member of the workspaces; one of that name who is there already, as from a first try of the same test. */
export const givenUser = async (
  server: RunningServer,
  username: string,
  role: 'annotator' | 'admin',
  workspaceIds: readonly string[] = [],
): Promise<string> => {
  const { items } = await asOwner<{ items: readonly { id: string; username: string }[] }>(server, 'GET', '/users')
  const known = items.find((user) => user.username === username)
  if (known) return known.id
  const { id } = await asOwner(server, 'POST', '/users', { username, first_name: username, role, password: PASSWORD })
  for (const workspace of workspaceIds) await asOwner(server, 'POST', `/workspaces/${workspace}/users`, { user_id: id })
  return id
}

export const givenWorkspace = async (server: Asked, name: string): Promise<string> =>
  (await asOwner(server, 'POST', '/workspaces', { name })).id

export type GivenDataset = {
  readonly name: string
  readonly workspaceId: string
  readonly records?: number
  readonly publish?: boolean
}

/** A dataset with one text field, one label question and some records. */
export const givenDataset = async (
  server: RunningServer,
  { name, workspaceId, records = 0, publish = true }: GivenDataset,
): Promise<string> => {
  const { id } = await asOwner(server, 'POST', '/datasets', { name, workspace_id: workspaceId })
  await asOwner(server, 'POST', `/datasets/${id}/fields`, {
    name: 'text',
    title: 'Text',
    required: true,
    settings: { type: 'text', use_markdown: false },
  })
  await asOwner(server, 'POST', `/datasets/${id}/questions`, {
    name: 'label',
    title: 'Label',
    required: true,
    settings: {
      type: 'label_selection',
      options: [
        { value: 'yes', text: 'Yes' },
        { value: 'no', text: 'No' },
      ],
    },
  })
  if (publish) await asOwner(server, 'PUT', `/datasets/${id}/publish`)
  if (records > 0) {
    const items = Array.from({ length: records }, (_, index) => ({
      fields: { text: `Record ${index + 1} of ${name}` },
    }))
    await asOwner(server, 'POST', `/datasets/${id}/records/bulk`, { items })
  }
  return id
}

/** Has a CSV file imported whose columns `id` and `text` are what they say. The import may go on when this resolves. */
export const givenImport = async (server: RunningServer, datasetId: string, csv: string): Promise<void> => {
  const files = `/datasets/${datasetId}/imports/files`
  const response = await fetch(`${server.url}/api/v1${files}?name=rows.csv`, {
    method: 'POST',
    headers: { 'x-argilla-api-key': server.apiKey, 'content-type': 'text/csv' },
    body: csv,
  })
  if (!response.ok) throw new Error(`POST ${files}: ${response.status} ${await response.text()}`)
  const { id } = (await response.json()) as { readonly id: string }
  const mapping = { fields: [{ source: 'text', target: 'text' }], external_id: 'id' }
  await asOwner(server, 'POST', `${files}/${id}/start`, { mapping })
}
